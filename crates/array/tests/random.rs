//! Random numbers: those of the paper's generator, the same on every device, for every layout and launch.

mod common;

use common::limits::{self, Need};
use common::{array, on_each_queue, values};
use opencl_array::random::Generator;
use opencl_array::{Array, DType, Error, Index, Order, Scalar};
use opencl_runtime::CommandQueue;

/// Philox4x32-10 as the paper defines it.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let [even, odd] =
            [(counter[0], 0xD251_1F53_u64), (counter[2], 0xCD9E_8D57)].map(|(word, by)| u64::from(word) * by);
        counter = [
            (odd >> 32) as u32 ^ counter[1] ^ key[0],
            odd as u32,
            (even >> 32) as u32 ^ counter[3] ^ key[1],
            even as u32,
        ];
        key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
    }
    counter
}

/// Threefry4x32-20 as the paper defines it.
fn threefry(counter: [u32; 4], key: [u32; 4]) -> [u32; 4] {
    const TURNS: [[u32; 2]; 8] =
        [[10, 26], [11, 21], [13, 27], [23, 5], [6, 20], [17, 11], [25, 10], [18, 20]];
    let keys = [key[0], key[1], key[2], key[3], key.iter().fold(0x1BD1_1BDA, |all, word| all ^ word)];
    let mut words: [u32; 4] = std::array::from_fn(|n| counter[n].wrapping_add(keys[n]));
    for round in 0..20 {
        let partners = if round % 2 == 0 { [(0, 1), (2, 3)] } else { [(0, 3), (2, 1)] };
        for ((a, b), turn) in partners.into_iter().zip(TURNS[round % 8]) {
            words[a] = words[a].wrapping_add(words[b]);
            words[b] = words[b].rotate_left(turn) ^ words[a];
        }
        if round % 4 == 3 {
            let added = round / 4 + 1;
            for n in 0..4 {
                words[n] = words[n].wrapping_add(keys[(n + added) % 5]);
            }
            words[3] = words[3].wrapping_add(added as u32);
        }
    }
    words
}

/// The words of so many blocks.
fn words(key: [u32; 2], counter: u128, blocks: usize) -> Vec<u32> {
    (0..blocks as u128)
        .flat_map(|block| {
            let counter = counter.wrapping_add(block);
            philox([0, 32, 64, 96].map(|shift| (counter >> shift) as u32), key)
        })
        .collect()
}

fn join(words: &[u32]) -> u64 {
    u64::from(words[1]) << 32 | u64::from(words[0])
}

const KEY: [u32; 2] = [0xa409_3822, 0x299f_31d0];
const LONG_KEY: [u32; 4] = [0xa409_3822, 0x299f_31d0, 0x082e_fa98, 0xec4e_6c89];

/// So close to the end of its lower half that a few blocks carry.
const COUNTER: [u32; 4] = [0xffff_fffe, 0xffff_ffff, 3, 4];

fn counter() -> u128 {
    COUNTER.iter().rev().fold(0, |counter, &word| counter << 32 | u128::from(word))
}

#[test]
fn words_are_those_that_the_authors_publish() {
    // From the known answers beside the paper, "kat_vectors": philox4x32, 10 rounds.
    assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
    let digits_of_pi = [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344];
    assert_eq!(philox(digits_of_pi, KEY), [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]);
    // threefry4x32, 20 rounds.
    assert_eq!(threefry([0; 4], [0; 4]), [0x9c6c_a96a, 0xe17e_ae66, 0xfc10_ecd4, 0x5256_a7d8]);
    let ones = [u32::MAX; 4];
    assert_eq!(threefry(ones, ones), [0x2a88_1696, 0x5701_2287, 0xf6c7_446e, 0xa16a_6732]);
    assert_eq!(threefry(digits_of_pi, LONG_KEY), [0x59cd_1dbb, 0xb887_9579, 0x86b5_d00c, 0xac8b_6d84]);
}

#[test]
fn threefry_on_the_device_is_the_paper_s() {
    on_each_queue(|queue| {
        if !limits::has(queue.device(), Need::Swizzles) {
            return;
        }
        let generator = Generator::threefry(LONG_KEY, COUNTER);
        let found = generator.uniform(queue, &[1001], DType::F32, 0, 1).unwrap().to_vec::<f32>().unwrap();
        let counters = (0..251).map(|block| counter().wrapping_add(block));
        let drawn: Vec<u32> = counters
            .flat_map(|counter| threefry([0, 32, 64, 96].map(|shift| (counter >> shift) as u32), LONG_KEY))
            .collect();
        let expected = drawn.iter().map(|word| (word >> 8) as f32 / 16_777_216.0);
        assert_eq!(found, expected.take(1001).collect::<Vec<f32>>());
    });
}

#[test]
fn normal_numbers_have_the_moments_of_the_distribution() {
    on_each_queue(|queue| {
        let count = limits::bearable(queue.device(), &[2000, 100_000]).into_iter().max().unwrap();
        let drawn = Generator::from_seed(1).normal(queue, &[count], DType::F32, 1, 2).unwrap();
        let drawn = drawn.to_vec::<f32>().unwrap();
        for (power, moment, variance) in [(1, 0.0, 1.0), (2, 1.0, 2.0), (3, 0.0, 15.0), (4, 3.0, 96.0)] {
            let sum: f64 = drawn.iter().map(|&value| ((f64::from(value) - 1.0) / 2.0).powi(power)).sum();
            let deviation = (variance / count as f64).sqrt();
            assert!((sum / count as f64 - moment).abs() < 5.0 * deviation, "moment {power}");
        }
    });
}

#[test]
fn normal_numbers_rise_with_their_words() {
    on_each_queue(|queue| {
        let normal = Generator::from_seed(4).normal(queue, &[999], DType::F32, 0, 1).unwrap();
        let normal = normal.to_vec::<f32>().unwrap();
        let words = words([4, 0], 0, 250);
        let mut order: Vec<usize> = (0..999).collect();
        order.sort_by_key(|&n| words[n]);
        assert!(order.is_sorted_by(|&a, &b| normal[a] <= normal[b]));
        assert!(order.iter().all(|&n| (normal[n] < 0.0) == (words[n] < 1 << 31)));
    });
}

#[test]
fn elements_follow_from_the_words() {
    on_each_queue(|queue| {
        for size in limits::bearable(queue.device(), &[1, 2, 3, 4, 5, 7, 1003, 70_001]) {
            let fresh = || Generator::philox(KEY, COUNTER);
            let found = fresh().uniform(queue, &[size], DType::F32, -2, 3).unwrap().to_vec::<f32>().unwrap();
            let drawn = words(KEY, counter(), size.div_ceil(4));
            let expected = drawn.iter().map(|word| -2.0 + 5.0 * ((word >> 8) as f32 / 16_777_216.0));
            assert_eq!(found, expected.take(size).collect::<Vec<f32>>());

            let found = fresh().uniform(queue, &[size], DType::I32, -3, 8).unwrap().to_vec::<i32>().unwrap();
            let drawn = words(KEY, counter(), size.div_ceil(2));
            let pairs = || drawn.chunks(2).map(join).take(size);
            let expected = pairs().map(|word| ((u128::from(word) * 11) >> 64) as i32 - 3);
            assert_eq!(found, expected.collect::<Vec<i32>>());

            if queue.device().has_extension("cl_khr_fp64").unwrap() {
                let found = fresh().uniform(queue, &[size], DType::F64, 0, 1).unwrap();
                let expected = pairs().map(|word| (word >> 11) as f64 / 9_007_199_254_740_992.0);
                assert_eq!(found.to_vec::<f64>().unwrap(), expected.collect::<Vec<f64>>());
            }

            let range = 3_u64 << 61;
            let found = fresh()
                .uniform(
                    queue,
                    &[size],
                    DType::I64,
                    i64::MIN,
                    Scalar::WeakInt(i128::from(i64::MIN) + i128::from(range)),
                )
                .unwrap();
            let drawn = words(KEY, counter(), size);
            let expected = drawn.chunks(4).map(|block| {
                let carry = (u128::from(join(&block[..2])) * u128::from(range)) >> 64;
                let part = (u128::from(join(&block[2..])) * u128::from(range) + carry) >> 64;
                i64::MIN.wrapping_add(part as i64)
            });
            assert_eq!(found.to_vec::<i64>().unwrap(), expected.collect::<Vec<i64>>());
        }
    });
}

#[test]
fn all_integers_can_be_asked_for() {
    on_each_queue(|queue| {
        let generator = Generator::philox(KEY, COUNTER);
        let all = generator
            .uniform(queue, &[50], DType::I64, i64::MIN, Scalar::WeakInt(1 << 63))
            .unwrap()
            .to_vec::<i64>()
            .unwrap();
        let drawn = words(KEY, counter(), 50);
        let expected = drawn.chunks(4).map(|block| (join(&block[2..]) as i64).wrapping_add(i64::MIN));
        assert_eq!(all, expected.collect::<Vec<i64>>());
        let all = generator.uniform(queue, &[5000], DType::I32, i32::MIN, Scalar::WeakInt(1 << 31)).unwrap();
        let all = all.to_vec::<i32>().unwrap();
        assert!(all.iter().any(|&number| number < -2_000_000_000));
        assert!(all.iter().any(|&number| number > 2_000_000_000));
        let one = generator.uniform(queue, &[9], DType::I64, i64::MAX, Scalar::WeakInt(1 << 63)).unwrap();
        assert_eq!(one.to_vec::<i64>().unwrap(), [i64::MAX; 9]);
    });
}

#[test]
fn a_generator_goes_on_where_it_stopped() {
    on_each_queue(|queue| {
        let draw = |generator: &Generator, size| {
            generator.uniform(queue, &[size], DType::F32, 0, 1).unwrap().to_vec::<f32>().unwrap()
        };
        let (whole, parts) = (Generator::from_seed(5), Generator::from_seed(5));
        let expected = draw(&whole, 40);
        // Blocks are not shared between fills.
        assert_eq!([draw(&parts, 8), draw(&parts, 20)].concat(), expected[..28]);
        assert_eq!(draw(&parts, 0), []);
        assert_eq!(draw(&parts, 3), expected[28..31]);
        assert_eq!(draw(&parts, 8), expected[32..]);
        assert_ne!(draw(&Generator::from_seed(6), 40), expected);
    });
}

#[test]
fn elements_are_drawn_in_their_order_whatever_the_layout() {
    on_each_queue(|queue| {
        let draw = |array: &Array| {
            Generator::from_seed(3).fill_uniform(array, 1, 2, None).unwrap();
            values::<f32>(array)
        };
        let plain = draw(&Array::zeros(queue, &[5, 7], DType::F32, Order::C).unwrap());
        assert_eq!(draw(&Array::zeros(queue, &[5, 7], DType::F32, Order::F).unwrap()), plain);
        let large = Array::zeros(queue, &[11, 9], DType::F32, Order::C).unwrap();
        let inside = large
            .index(&[
                Index::Slice { start: Some(10), stop: None, step: -2 },
                Index::Slice { start: Some(1), stop: Some(8), step: 1 },
            ])
            .unwrap();
        assert_eq!(inside.shape(), [6, 7]);
        let inside = inside.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }]).unwrap();
        assert_eq!(draw(&inside), plain);
        assert_eq!(values::<f32>(&large).iter().filter(|&&value| value != 0.0).count(), 35);
        let tail = array(queue, &[36], &[0_f32; 36]);
        let tail = tail.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }]).unwrap();
        assert_eq!(draw(&tail), plain);
    });
}

#[test]
fn ranges_without_numbers_are_refused() {
    on_each_queue(|queue| {
        let draw = |dtype, low: Scalar, high: Scalar| {
            let generator = Generator::from_seed(0);
            let array = Array::zeros(queue, &[3], dtype, Order::C).unwrap();
            generator.fill_uniform(&array, low, high, None).map(|()| array)
        };
        let float = Scalar::WeakFloat;
        for (dtype, low, high) in [
            (DType::I32, Scalar::WeakInt(3), Scalar::WeakInt(3)),
            (DType::I32, float(0.25), float(0.75)),
            (DType::I64, float(0.0), float(f64::NAN)),
            (DType::F32, float(f64::INFINITY), float(0.0)),
            (DType::F32, float(-3e38), float(3e38)),
        ] {
            let error = draw(dtype, low, high).unwrap_err();
            assert!(matches!(error, Error::Range { .. }), "{error}");
        }
        let error = draw(DType::I32, Scalar::WeakInt(0), Scalar::WeakInt(1 << 32)).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
        let error = draw(DType::C64, Scalar::WeakInt(0), Scalar::WeakInt(1)).unwrap_err();
        assert_eq!(error.to_string(), "a uniform distribution is not defined for complex64");
        let error = draw(DType::U8, Scalar::WeakInt(-1), Scalar::WeakInt(1)).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
        let error = Generator::from_seed(0).normal(queue, &[3], DType::I32, 0, 1).unwrap_err();
        assert_eq!(error.to_string(), "a normal distribution is not defined for int32");
        assert_eq!(draw(DType::I32, float(-0.5), float(0.5)).unwrap().to_vec::<i32>().unwrap(), [0; 3]);
        assert_eq!(draw(DType::F32, float(2.0), float(2.0)).unwrap().to_vec::<f32>().unwrap(), [2.0; 3]);
        let falling = draw(DType::F32, float(1.0), float(0.0)).unwrap().to_vec::<f32>().unwrap();
        assert!(falling.iter().all(|value| (0.0..=1.0).contains(value)));
    });
}

#[test]
fn threads_share_a_generator() {
    on_each_queue(|queue: &CommandQueue| {
        if !limits::has(queue.device(), Need::Threads) {
            return;
        }
        let generator = Generator::from_seed(9);
        let draw = || generator.uniform(queue, &[64], DType::F32, 0, 1).unwrap().to_vec::<f32>().unwrap();
        let mut drawn: Vec<Vec<f32>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(draw)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let again = Generator::from_seed(9);
        let mut expected: Vec<Vec<f32>> = (0..8)
            .map(|_| again.uniform(queue, &[64], DType::F32, 0, 1).unwrap().to_vec::<f32>().unwrap())
            .collect();
        drawn.sort_by(|a, b| a.partial_cmp(b).unwrap());
        expected.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(drawn, expected);
    });
}
