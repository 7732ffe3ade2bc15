//! Vectors and records: definitions, arrays of them, their components and fields, elements that are not aligned.

mod common;

use common::{array, on_each_queue, values};
use half::f16;
use num_complex::Complex64;
use opencl_array::dtype::{Field, Record, Vector, common as common_dtype};
use opencl_array::elementwise::{ElementwiseKernel, Snippet, Value};
use opencl_array::expr::{BinaryOp, UnaryOp};
use opencl_array::{Array, DType, Error, Index, Order, Scalar, StructLayout, ops, reduction};
use opencl_runtime::CommandQueue;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

const FLIP: Index = Index::Slice { start: None, stop: None, step: -1 };

fn vector(element: DType, lanes: usize) -> DType {
    element.vector(lanes).unwrap()
}

fn bytes(array: &Array) -> Vec<u8> {
    let mut bytes = vec![0; array.layout().size() * array.dtype().size()];
    array.read(&mut bytes, Order::C, None).unwrap();
    bytes
}

#[test]
fn vectors_are_those_of_opencl() {
    assert_eq!(Vector::all().count(), 50);
    for known in Vector::all() {
        let dtype = DType::Vector(known);
        assert_eq!(dtype.name(), format!("{}{}", known.element().c_name(), known.lanes()));
        assert_eq!(DType::from_c_name(dtype.c_name()), Some(dtype));
        assert_eq!(known.element().vector(known.lanes()), Some(dtype));
        assert_eq!(known.size(), known.element().size() * known.lanes().next_power_of_two());
        assert_eq!(known.component("x"), Some(0));
        assert_eq!(known.component(&format!("s{}", known.lanes())), None);
        assert_eq!(known.component("s01"), None);
    }
    assert_eq!(DType::F16.vector(4), None);
    assert_eq!(DType::F32.vector(5), None);
    assert_eq!(Vector::new(DType::I8, 3).unwrap().component("padding0"), Some(3));
}

#[test]
fn common_dtypes_of_vectors_are_those_of_their_components() {
    let common = |a, b| common_dtype("test", a, b).ok();
    assert_eq!(common(vector(DType::I32, 4), vector(DType::F32, 4)), Some(vector(DType::F64, 4)));
    assert_eq!(common(vector(DType::F32, 3), DType::I16), Some(vector(DType::F32, 3)));
    assert_eq!(common(vector(DType::F32, 3), vector(DType::F32, 4)), None);
    assert_eq!(common(vector(DType::F32, 3), DType::C64), None);
    let record = DType::Record(Record::new("one", vec![], 4).unwrap());
    assert_eq!(common(record, record), Some(record));
    assert_eq!(common(record, DType::U32), None);
}

#[test]
fn equal_records_are_one() {
    let fields = || vec![Field::new("a", 0, DType::I32), Field::new("b", 4, DType::F32)];
    let record = Record::new("pair", fields(), 8).unwrap();
    assert_eq!(record, Record::new("pair", fields(), 8).unwrap());
    assert_ne!(record, Record::new("pair", fields(), 12).unwrap());
    assert_ne!(record, Record::new("couple", fields(), 8).unwrap());
    assert_eq!(record.field("b"), Some(&fields()[1]));
    let titled = Field { title: Some("b".to_owned()), ..fields()[0].clone() };
    for (fields, size) in [(fields(), 7), (vec![], 0), (vec![titled, fields()[1].clone()], 8)] {
        assert!(matches!(Record::new("pair", fields, size), Err(Error::Record { .. })));
    }
}

#[test]
fn vectors_are_computed_by_component() {
    on_each_queue(|queue| {
        let lanes = |values: [f32; 8]| values.map(f32::to_ne_bytes).concat();
        let four = vector(DType::F32, 4);
        let a = lanes([1.0, -2.0, 3.0, f32::NAN, 5.0, 6.0, 7.0, 8.0]);
        let b = lanes([2.0, 2.0, 2.0, 2.0, 5.0, 0.5, 7.0, 8.0]);
        let a = Array::from_host(queue, &[2], four, Order::C, &a).unwrap();
        let b = Array::from_host(queue, &[2], four, Order::C, &b).unwrap();
        let sum = ops::add(&ops::multiply(&a, 2.0_f32, None).unwrap(), &b, None).unwrap();
        let sum = sum.view_as(DType::F32).unwrap().to_vec::<f32>().unwrap();
        assert_eq!(&sum[..3], [4.0, -2.0, 8.0]);
        assert_eq!(&sum[4..], [15.0, 12.5, 21.0, 24.0]);
        let greater = ops::binary(BinaryOp::Maximum, &a, &b, None).unwrap();
        let greater = greater.view_as(DType::F32).unwrap().to_vec::<f32>().unwrap();
        assert!(greater[3].is_nan());
        assert_eq!(&greater[4..], [5.0, 6.0, 7.0, 8.0]);
        let same = ops::equal(&a, &a, None).unwrap();
        assert_eq!(same.to_vec::<i8>().unwrap(), [0, 1]);
        let total = reduction::sum(&b, None, None).unwrap();
        let total = total.reshape(&[1], Order::C).unwrap().view_as(DType::F32).unwrap();
        assert_eq!(total.to_vec::<f32>().unwrap(), [7.0, 2.5, 9.0, 10.0]);
        assert!(matches!(ops::less(&a, &b, None), Err(Error::Undefined { .. })));
        assert!(matches!(a.cast(DType::F32, None), Err(Error::OutputDType { .. })));
    });
}

#[test]
fn integer_vectors_wrap_and_divide_as_floating_point() {
    on_each_queue(|queue| {
        let bytes_of = |values: [i8; 6]| values.map(|value| value as u8);
        let two = vector(DType::I8, 2);
        let a = bytes_of([127, -128, 1, 2, -3, 4]);
        let a = Array::from_host(queue, &[3], two, Order::C, &a).unwrap();
        assert_eq!(bytes(&ops::add(&a, 1_i8, None).unwrap()), bytes_of([-128, -127, 2, 3, -2, 5]));
        assert_eq!(
            bytes(&ops::unary(UnaryOp::Negative, &a, None).unwrap()),
            bytes_of([-127, -128, -1, -2, 3, -4])
        );
        let half = ops::divide(&a, Scalar::WeakInt(2), None).unwrap();
        assert_eq!(half.dtype(), vector(DType::F64, 2));
        let half = half.view_as(DType::F64).unwrap().to_vec::<f64>().unwrap();
        assert_eq!(half, [63.5, -64.0, 0.5, 1.0, -1.5, 2.0]);
        let back = ops::multiply(&a, 2_i8, None).unwrap().cast(vector(DType::I16, 2), None).unwrap();
        let back = back.view_as(DType::I16).unwrap().to_vec::<i16>().unwrap();
        assert_eq!(back, [-2, 0, 2, 4, -6, 8]);
    });
}

#[test]
fn what_lies_beside_three_components_is_kept_and_not_compared() {
    on_each_queue(|queue| {
        let three = vector(DType::I32, 3);
        let host: Vec<u8> = (1..=12_i32).flat_map(i32::to_ne_bytes).collect();
        let a = Array::from_host(queue, &[3], three, Order::C, &host).unwrap();
        let turned = a.index(&[FLIP]).unwrap().copy(None).unwrap();
        let turned = turned.view_as(DType::I32).unwrap().to_vec::<i32>().unwrap();
        assert_eq!(turned, [9, 10, 11, 12, 5, 6, 7, 8, 1, 2, 3, 4]);
        let other = a.copy(None).unwrap();
        other.field("padding0").unwrap().fill(Scalar::WeakInt(0), None).unwrap();
        assert_eq!(ops::equal(&a, &other, None).unwrap().to_vec::<i8>().unwrap(), [1, 1, 1]);
        other.field("z").unwrap().fill(Scalar::WeakInt(7), None).unwrap();
        assert_eq!(ops::not_equal(&a, &other, None).unwrap().to_vec::<i8>().unwrap(), [1, 0, 1]);
        assert!(matches!(a.field("w"), Err(Error::Field { .. })));
    });
}

#[test]
fn large_vectors_and_records_move_whole() {
    on_each_queue(|queue| {
        let record = DType::Record(Record::new("large", vec![], 200).unwrap());
        for dtype in [vector(DType::F64, 16), vector(DType::U8, 16), record] {
            let host: Vec<u8> = (0..9 * dtype.size()).map(|byte| byte as u8).collect();
            let a = Array::from_host(queue, &[3, 3], dtype, Order::C, &host).unwrap();
            let turned = a.index(&[FLIP, FLIP]).unwrap().copy(None).unwrap();
            let expected: Vec<u8> = host.chunks(dtype.size()).rev().flatten().copied().collect();
            assert_eq!(bytes(&turned), expected, "{dtype}");
            a.index(&[Index::At(1)]).unwrap().fill(Scalar::Bool(false), None).unwrap();
            let row = 3 * dtype.size();
            assert_eq!(bytes(&a)[..row], host[..row]);
            assert!(bytes(&a)[row..2 * row].iter().all(|&byte| byte == 0));
        }
    });
}

#[test]
fn numbers_may_lie_at_any_address() {
    on_each_queue(|queue| {
        for (dtype, step) in [(DType::C128, 8), (DType::F32, 2), (DType::F16, 1)] {
            let size = dtype.size();
            let host: Vec<u8> = (0..step + 5 * size).map(|byte| (byte * 37 % 61) as u8).collect();
            let raw = Array::from_slice(queue, &host).unwrap();
            let shifted =
                raw.index(&[Index::Slice { start: Some(step as isize), stop: None, step: 1 }]).unwrap();
            let shifted = shifted.view_as(dtype).unwrap();
            assert!(!shifted.layout().is_aligned());
            let aligned = Array::from_host(queue, &[5], dtype, Order::C, &host[step..]).unwrap();
            let expected = bytes(&ops::add(&aligned, &aligned.index(&[FLIP]).unwrap(), None).unwrap());
            let sum = ops::add(&shifted, &shifted.index(&[FLIP]).unwrap(), None).unwrap();
            assert_eq!(bytes(&sum), expected, "{dtype} at {step}");
            assert_eq!(
                bytes(&reduction::sum(&shifted, None, None).unwrap()),
                bytes(&reduction::sum(&aligned, None, None).unwrap())
            );
            ops::binary_into(BinaryOp::Add, &shifted, &shifted.index(&[FLIP]).unwrap(), &shifted, None)
                .unwrap();
            assert_eq!(raw.to_vec::<u8>().unwrap(), [&host[..step], &expected].concat());
        }
    });
}

#[test]
fn records_of_the_device_are_structs_of_snippets() {
    on_each_queue(|queue| {
        let inner = vec![Field::new("tag", 0, DType::I8), Field::new("at", 0, vector(DType::I32, 2))];
        let inner = Record::on_device(queue, "inner_t", inner).unwrap();
        assert_eq!((inner.size(), inner.fields()[1].offset), (16, 8));
        let many = Field { shape: [2].into_iter().collect(), ..Field::new("many", 0, DType::Record(inner)) };
        let outer = vec![Field::new("flag", 0, DType::U16), many, Field::new("z", 0, DType::C64)];
        let outer = Record::on_device(queue, "outer_t", outer).unwrap();
        assert_eq!(outer.fields().iter().map(|field| field.offset).collect::<Vec<_>>(), [0, 8, 40]);
        assert_eq!(outer.size(), 48);
        assert!(outer.c_structs().starts_with(&inner.c_struct()));

        let records = Array::zeros(queue, &[7], DType::Record(outer), Order::C).unwrap();
        let text = "p[i].flag = 3; p[i].many[1] = (inner_t){ .tag = by, .at = (int2)(i, -i) };";
        let complex = "typedef struct { float real, imag; } cfloat_t;\n";
        let mut snippet = Snippet::with_types("outer_t *p, char by", text, &[inner, outer]).unwrap();
        snippet.preamble.insert_str(0, complex);
        let kernel = ElementwiseKernel::new(queue.context(), snippet);
        // SAFETY: it writes element i of an array of n.
        unsafe { kernel.run(&[Value::from(&records), Value::from(5_i8)], None, None, &[]) }.unwrap();
        assert_eq!(records.field("flag").unwrap().to_vec::<u16>().unwrap(), [3; 7]);
        let second = records.field("many").unwrap().index(&[Index::FULL, Index::At(1)]).unwrap();
        assert_eq!(second.field("tag").unwrap().to_vec::<i8>().unwrap(), [5; 7]);
        let down = second.field("at").unwrap().field("y").unwrap();
        assert_eq!(down.to_vec::<i32>().unwrap(), [0, -1, -2, -3, -4, -5, -6]);
        let wrong = vec![Field::new("float", 0, DType::I8)];
        assert!(Record::on_device(queue, "wrong_t", wrong).is_err());
    });
}

#[test]
fn turned_elements_are_those_of_the_host() {
    on_each_queue(|queue| {
        let packed = Record::new("turned", vec![Field::new("b", 1, DType::F32)], 5).unwrap();
        for dtype in [vector(DType::U16, 3), DType::Record(packed)] {
            let (rows, columns, size) = (37, 70, dtype.size());
            let host: Vec<u8> = (0..rows * columns * size).map(|byte| (byte * 31 % 113) as u8).collect();
            let a = Array::from_host(queue, &[rows, columns], dtype, Order::C, &host).unwrap();
            let element = |row: usize, column: usize| &host[(row * columns + column) * size..][..size];
            let places = || (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
            let turned = Array::empty(queue, &[columns, rows], dtype, Order::C).unwrap();
            turned.assign(&a.transpose(None).unwrap(), None).unwrap();
            let expected: Vec<u8> =
                places().flat_map(|(row, column)| element(row, column)).copied().collect();
            assert_eq!(bytes(&turned), expected, "{dtype}");
            if let DType::Record(_) = dtype {
                let field = a.field("b").unwrap().transpose(None).unwrap();
                let doubled = ops::add(&field, &turned.field("b").unwrap(), None).unwrap();
                let expected: Vec<u8> = places()
                    .map(|(row, column)| f32::from_ne_bytes(element(row, column)[1..].try_into().unwrap()))
                    .flat_map(|value| (value + value).to_ne_bytes())
                    .collect();
                assert_eq!(bytes(&doubled), expected);
            }
        }
    });
}

#[test]
fn half_precision_meets_its_bits_at_odd_addresses() {
    on_each_queue(|queue| {
        let host: Vec<u8> = (0..13).collect();
        let raw = Array::from_slice(queue, &host).unwrap();
        let odd = raw.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }]).unwrap();
        let (halves, bits) = (odd.view_as(DType::F16).unwrap(), odd.view_as(DType::U16).unwrap());
        let sum = ops::add(&halves, &bits, None).unwrap();
        let expected: Vec<f32> = host[1..]
            .chunks(2)
            .map(|pair| u16::from_ne_bytes([pair[0], pair[1]]))
            .map(|bits| f16::from_bits(bits).to_f32() + f32::from(bits))
            .collect();
        assert_eq!(sum.to_vec::<f32>().unwrap(), expected);
    });
}

#[test]
fn unaligned_views_compute_as_aligned_ones() {
    on_each_queue(|queue| {
        let host: Vec<f64> = (0..9).map(f64::from).collect();
        let reals = array(queue, &[9], &host);
        let tail = reals.index(&[Index::Slice { start: Some(1), stop: None, step: 1 }]).unwrap();
        let z = tail.view_as(DType::C128).unwrap();
        let square = ops::multiply(&z, &z, None).unwrap().to_vec::<Complex64>().unwrap();
        let expected: Vec<Complex64> =
            host[1..].chunks(2).map(|pair| Complex64::new(pair[0], pair[1])).map(|z| z * z).collect();
        assert_eq!(square, expected);
        assert_eq!(values::<f64>(&tail), host[1..]);
    });
}

/// Packed records: names, dtypes and lengths of fields.
fn packed() -> impl Strategy<Value = (DType, Vec<Field>)> {
    let dtypes = [DType::U8, DType::I16, DType::F32, DType::C64];
    let field = (prop::sample::select(dtypes.to_vec()), prop::option::of(1..4usize), 0..3usize);
    prop::collection::vec(field, 1..5).prop_map(|list| {
        let mut at = 0;
        let mut fields = Vec::new();
        for (number, (dtype, length, gap)) in list.into_iter().enumerate() {
            let shape = length.into_iter().collect();
            fields.push(Field { shape, ..Field::new(&format!("f{number}"), at + gap, dtype) });
            at += gap + fields[number].size();
        }
        (DType::Record(Record::new("packed", fields.clone(), at).unwrap()), fields)
    })
}

fn check_packed(queue: &CommandQueue, dtype: DType, fields: &[Field]) {
    let size = dtype.size();
    let host: Vec<u8> = (0..4 * size).map(|byte| (byte * 23 % 97) as u8).collect();
    let records = Array::from_host(queue, &[4], dtype, Order::C, &host).unwrap();
    let turned = records.index(&[FLIP]).unwrap();
    assert_eq!(
        bytes(&turned.copy(None).unwrap()),
        host.chunks(size).rev().flatten().copied().collect::<Vec<u8>>()
    );
    for field in fields {
        let expected: Vec<u8> = host
            .chunks(size)
            .rev()
            .flat_map(|record| &record[field.offset..field.offset + field.size()])
            .copied()
            .collect();
        let view = turned.field(&field.name).unwrap();
        assert_eq!(view.dtype(), field.dtype);
        assert_eq!(bytes(&view), expected, "{field:?}");
        view.assign(&view.copy(None).unwrap(), None).unwrap();
    }
    assert_eq!(bytes(&records), host);
}

#[test]
fn fields_of_packed_records_are_their_bytes() {
    on_each_queue(|queue| {
        let mut runner = TestRunner::new(Config { cases: 1, failure_persistence: None, ..Config::default() });
        runner
            .run(&packed(), |(dtype, fields)| {
                check_packed(queue, dtype, &fields);
                Ok(())
            })
            .unwrap();
    });
}

#[test]
fn devices_say_how_they_lay_out_structs() {
    on_each_queue(|queue| {
        let text = "typedef struct { char a; cfloat_t z; float3 v; short s[3]; } mixed;";
        let layout = StructLayout::measure(queue, text, "mixed", &["a", "z", "v", "s"]).unwrap();
        assert_eq!(layout, StructLayout { size: 48, alignment: 16, offsets: vec![0, 4, 16, 32] });
        assert!(StructLayout::measure(queue, "typedef int none;", "none", &["x"]).is_err());
    });
}
