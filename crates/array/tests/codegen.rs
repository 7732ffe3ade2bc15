//! Generated kernels, as text: `tests/snapshots/`.

use opencl_array::codegen::{Argument, Recipe, Scan, Skeleton, arguments, source, source_of_both};
use opencl_array::dtype::{DType, Record};
use opencl_array::expr::{BinaryOp, Expr, Function, Target, UnaryOp};
use opencl_array::layout::{Index, Layout, Order};
use opencl_array::plan::{DeviceClass, Plan};

fn recipe(expr: Expr, shape: &[usize], operands: &[&Layout], device: DeviceClass) -> Recipe {
    let class = Plan::new(device, shape, operands.iter().copied(), expr.uses_index()).unwrap().class;
    let output = expr.result().unwrap().1;
    Recipe { skeleton: Skeleton::Elementwise, expr, output, class }
}

fn sum_of(a: DType, b: DType) -> Expr {
    let mut expr = Expr::new();
    let (a, b) = (expr.array(a), expr.array(b));
    expr.binary(BinaryOp::Add, a, b).unwrap();
    expr
}

#[test]
fn contiguous_addition() {
    let layout = Layout::contiguous(&[1000], 4, Order::C).unwrap();
    for (device, name) in [(DeviceClass::Gpu, "add_flat_gpu"), (DeviceClass::Cpu, "add_flat_cpu")] {
        let recipe = recipe(sum_of(DType::F32, DType::F32), &[1000], &[&layout, &layout, &layout], device);
        insta::assert_snapshot!(name, source(&recipe));
    }
}

#[test]
fn broadcast_and_strided_addition() {
    let full = Layout::contiguous(&[20, 30, 4], 4, Order::C).unwrap();
    let out = Layout::contiguous(&[20, 30, 4], 8, Order::C).unwrap();
    let column = Layout::contiguous(&[30, 8], 8, Order::C).unwrap();
    let column = column.index(&[Index::FULL, Index::Slice { start: None, stop: None, step: -2 }]).unwrap();
    for (device, name) in [(DeviceClass::Gpu, "add_strided_gpu"), (DeviceClass::Cpu, "add_strided_cpu")] {
        let recipe = recipe(sum_of(DType::I32, DType::F64), &[20, 30, 4], &[&full, &column, &out], device);
        insta::assert_snapshot!(name, source(&recipe));
    }
}

#[test]
fn fused_half_precision_rounds_intermediate_results() {
    let mut expr = Expr::new();
    let (x, y, s) = (expr.array(DType::F16), expr.array(DType::F16), expr.scalar(DType::F16));
    let scaled = expr.binary(BinaryOp::Multiply, s, x).unwrap();
    expr.binary(BinaryOp::Add, scaled, y).unwrap();
    let layout = Layout::contiguous(&[8], 2, Order::C).unwrap();
    let recipe = recipe(expr, &[8], &[&layout, &layout, &layout], DeviceClass::Gpu);
    insta::assert_snapshot!("fused_half_gpu", source(&recipe));
}

#[test]
fn complex_and_mixed_comparison_elements() {
    let layout = |item| Layout::contiguous(&[8], item, Order::C).unwrap();
    let mut expr = Expr::new();
    let (x, y) = (expr.array(DType::C64), expr.array(DType::I16));
    let product = expr.binary(BinaryOp::Multiply, x, y).unwrap();
    let conjugate = expr.unary(UnaryOp::Conjugate, product).unwrap();
    expr.unary(UnaryOp::Absolute, conjugate).unwrap();
    let complex = recipe(expr, &[8], &[&layout(8), &layout(2), &layout(4)], DeviceClass::Cpu);
    insta::assert_snapshot!("complex_cpu", source(&complex));

    let mut expr = Expr::new();
    let (x, y) = (expr.array(DType::U64), expr.array(DType::I32));
    expr.binary(BinaryOp::GreaterEqual, x, y).unwrap();
    let mixed = recipe(expr, &[8], &[&layout(8), &layout(4), &layout(1)], DeviceClass::Cpu);
    insta::assert_snapshot!("compare_mixed_cpu", source(&mixed));
}

#[test]
fn vectors_beside_numbers() {
    let mut expr = Expr::new();
    let three = DType::I32.vector(3).unwrap();
    let (a, x, s) = (expr.array(three), expr.array(DType::F32), expr.scalar(DType::I32));
    let scaled = expr.binary(BinaryOp::Multiply, a, s).unwrap();
    expr.binary(BinaryOp::TrueDivide, scaled, x).unwrap();
    let layout = |item| Layout::contiguous(&[8], item, Order::C).unwrap();
    let divided = recipe(expr, &[8], &[&layout(16), &layout(4), &layout(32)], DeviceClass::Gpu);
    insta::assert_snapshot!("vector_gpu", source(&divided));

    let mut expr = Expr::new();
    let (a, b) = (expr.array(three), expr.array(three));
    expr.binary(BinaryOp::Equal, a, b).unwrap();
    let equal = recipe(expr, &[8], &[&layout(16), &layout(16), &layout(1)], DeviceClass::Cpu);
    insta::assert_snapshot!("vector_equal_cpu", source(&equal));
}

#[test]
fn records_move_as_words_and_fields_as_bytes() {
    let mut expr = Expr::new();
    expr.array(DType::Record(Record::new("item", vec![], 24).unwrap()));
    let layout = Layout::contiguous(&[8], 24, Order::C).unwrap();
    let reversed = layout.index(&[Index::Slice { start: None, stop: None, step: -1 }]).unwrap();
    let copy = recipe(expr, &[8], &[&reversed, &layout], DeviceClass::Cpu);
    insta::assert_snapshot!("record_cpu", source(&copy));

    // Half precision at odd addresses, as in a packed record.
    let field = Layout::strided(&[8], &[7], 3, 2).unwrap();
    let layout = Layout::contiguous(&[8], 2, Order::C).unwrap();
    let sum = recipe(sum_of(DType::F16, DType::F16), &[8], &[&field, &layout, &layout], DeviceClass::Gpu);
    insta::assert_snapshot!("unaligned_half_gpu", source(&sum));
}

#[test]
fn complex_numbers_beside_their_alignment_move_in_parts() {
    let aligned = Layout::contiguous(&[8], 16, Order::C).unwrap();
    let shifted = Layout::strided(&[8], &[16], 8, 16).unwrap();
    let sum =
        recipe(sum_of(DType::C128, DType::C128), &[8], &[&shifted, &aligned, &aligned], DeviceClass::Cpu);
    insta::assert_snapshot!("complex_parts_cpu", source(&sum));
}

#[test]
fn positions_are_in_c_order() {
    let mut expr = Expr::new();
    let index = expr.index();
    let index = expr.cast(index, DType::F32);
    let (start, step) = (expr.scalar(DType::F32), expr.scalar(DType::F32));
    let scaled = expr.binary(BinaryOp::Multiply, index, step).unwrap();
    expr.binary(BinaryOp::Add, start, scaled).unwrap();
    let layout = Layout::contiguous(&[8], 4, Order::C).unwrap();
    insta::assert_snapshot!("arange_gpu", source(&recipe(expr, &[8], &[&layout], DeviceClass::Gpu)));
}

#[test]
fn reductions_take_expressions() {
    let product = |dtype| {
        let mut expr = Expr::new();
        let (x, y) = (expr.array(dtype), expr.array(dtype));
        expr.binary(BinaryOp::Multiply, x, y).unwrap();
        expr
    };
    let shape = [20, 30];
    let full = Layout::contiguous(&shape, 4, Order::C).unwrap();
    let row = Layout::contiguous(&[30], 4, Order::C).unwrap();
    for (device, name) in [(DeviceClass::Gpu, "gpu"), (DeviceClass::Cpu, "cpu")] {
        for (other, walk) in [(&full, "flat"), (&row, "strided")] {
            let class = Plan::new(device, &shape, [&full, other].into_iter(), false).unwrap().class;
            let recipe = Recipe {
                skeleton: Skeleton::Reduction(BinaryOp::Maximum),
                expr: product(DType::F32),
                output: DType::F32,
                class,
            };
            insta::assert_snapshot!(format!("reduce_{walk}_{name}"), source(&recipe));
        }
    }
}

#[test]
fn elements_from_and_to_positions() {
    let mut expr = Expr::new();
    let (memory, position) = (expr.array(DType::F16), expr.array(DType::I32));
    let (length, stride) = (expr.scalar(DType::I64), expr.scalar(DType::I64));
    let offset = expr.offset(position, length, stride);
    expr.element(memory, offset);
    let element = Layout::contiguous(&[1], 2, Order::C).unwrap();
    let positions = Layout::contiguous(&[8], 4, Order::C).unwrap();
    let output = Layout::contiguous(&[8], 2, Order::C).unwrap();
    let gather = recipe(expr, &[8], &[&element, &positions, &output], DeviceClass::Gpu);
    insta::assert_snapshot!("gather_gpu", source(&gather));

    let mut expr = Expr::new();
    let (value, position) = (expr.array(DType::F32), expr.array(DType::U8));
    let (length, stride) = (expr.scalar(DType::I64), expr.scalar(DType::I64));
    let offset = expr.offset(position, length, stride);
    let condition = expr.on_axis(position, length);
    expr.store(value, Target { condition: Some(condition), offset: Some(offset) });
    let values = Layout::contiguous(&[8], 4, Order::C).unwrap();
    let positions = Layout::contiguous(&[8], 1, Order::C).unwrap();
    for (device, name) in [(DeviceClass::Gpu, "scatter_gpu"), (DeviceClass::Cpu, "scatter_cpu")] {
        let target = Layout::contiguous(&[1], 4, Order::C).unwrap();
        let scatter = recipe(expr.clone(), &[8], &[&values, &positions, &target], device);
        insta::assert_snapshot!(name, source(&scatter));
    }
}

#[test]
fn scans_take_expressions() {
    let mut expr = Expr::new();
    let (x, zero) = (expr.array(DType::I8), expr.scalar(DType::I8));
    let truth = expr.binary(BinaryOp::NotEqual, x, zero).unwrap();
    expr.cast(truth, DType::I32);
    let flat = Layout::contiguous(&[20, 30], 1, Order::C).unwrap();
    let back = Index::Slice { start: None, stop: None, step: -1 };
    let turned = Layout::contiguous(&[30, 20], 1, Order::C).unwrap().reversed_axes().index(&[back]).unwrap();
    let cases = [
        (DeviceClass::Gpu, &flat, Scan::Totals, "scan_totals_gpu"),
        (DeviceClass::Gpu, &turned, Scan::Shares { exclusive: false }, "scan_shares_gpu"),
        (DeviceClass::Cpu, &flat, Scan::Totals, "scan_totals_cpu"),
        (DeviceClass::Cpu, &turned, Scan::Shares { exclusive: true }, "scan_shares_cpu"),
        (DeviceClass::Cpu, &flat, Scan::Whole { exclusive: false }, "scan_whole_cpu"),
    ];
    for (device, layout, scan, name) in cases {
        let class = Plan::new(device, &[20, 30], [layout].into_iter(), true).unwrap().class;
        let skeleton = Skeleton::Scan(BinaryOp::Add, scan);
        let recipe = Recipe { skeleton, expr: expr.clone(), output: DType::I32, class };
        let text = source(&recipe);
        assert!(!text.contains('@'), "unfilled place:\n{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn every_declared_argument_is_set() {
    let layout = Layout::contiguous(&[20, 30], 4, Order::C).unwrap();
    let turned = Layout::contiguous(&[30, 20], 4, Order::C).unwrap().reversed_axes();
    for device in [DeviceClass::Gpu, DeviceClass::Cpu] {
        let recipe = recipe(sum_of(DType::F32, DType::F32), &[20, 30], &[&layout, &turned, &layout], device);
        let text = source(&recipe);
        let declared =
            text.split("kernel void").nth(1).unwrap().split('{').next().unwrap().matches(',').count();
        assert_eq!(declared + 1, arguments(2, 0, &recipe.class).count());
        assert!(arguments(2, 0, &recipe.class).any(|argument| matches!(argument, Argument::Stride(1, 0))));
        assert!(!text.contains('@'), "unfilled place:\n{text}");
    }
}

#[test]
fn turned_operands_are_walked_in_tiles() {
    let layout = Layout::contiguous(&[20, 30, 40], 4, Order::C).unwrap();
    let turned = Layout::contiguous(&[20, 40, 30], 4, Order::C).unwrap().transpose(&[0, 2, 1]).unwrap();
    let row = Layout::contiguous(&[40], 4, Order::C).unwrap();
    let mut expr = Expr::new();
    let (x, y, row_) = (expr.array(DType::F32), expr.array(DType::F32), expr.array(DType::F32));
    let sum = expr.binary(BinaryOp::Add, x, y).unwrap();
    expr.binary(BinaryOp::Multiply, sum, row_).unwrap();
    for (device, name) in [(DeviceClass::Gpu, "tiles_gpu"), (DeviceClass::Cpu, "tiles_cpu")] {
        let operands = [&turned, &layout, &row, &layout];
        let class = Plan::new(device, &[20, 30, 40], operands.iter().copied(), false)
            .unwrap()
            .tiled(&operands, 64, 1)
            .class;
        let recipe =
            Recipe { skeleton: Skeleton::Elementwise, expr: expr.clone(), output: DType::F32, class };
        let text = source(&recipe);
        assert!(!text.contains('@'), "unfilled place:\n{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn small_elements_are_moved_in_vectors() {
    let layout = Layout::contiguous(&[1000], 2, Order::C).unwrap();
    for (dtype, name) in [(DType::I16, "vectors_gpu"), (DType::F16, "vectors_half_gpu")] {
        let mut recipe =
            recipe(sum_of(dtype, dtype), &[1000], &[&layout, &layout, &layout], DeviceClass::Gpu);
        recipe.class.vector = 8;
        let text = source(&recipe);
        assert!(!text.contains('@'), "unfilled place:\n{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn rows_are_walked_in_vectors() {
    let back = Index::Slice { start: None, stop: None, step: -1 };
    for (dtype, name) in [(DType::U8, "rows_gpu"), (DType::F16, "rows_half_gpu")] {
        let size = dtype.size();
        let full = Layout::contiguous(&[20, 30, 64], size, Order::C).unwrap();
        let row = Layout::contiguous(&[30, 1], size, Order::C).unwrap();
        let turned =
            Layout::contiguous(&[30, 64], size, Order::C).unwrap().index(&[Index::FULL, back]).unwrap();
        let mut expr = Expr::new();
        let (x, y, z) = (expr.array(dtype), expr.array(dtype), expr.array(dtype));
        let sum = expr.binary(BinaryOp::Add, x, y).unwrap();
        expr.binary(BinaryOp::Maximum, sum, z).unwrap();
        let operands = [&full, &row, &turned, &full];
        let count = 8 / size;
        let plan = Plan::new(DeviceClass::Gpu, full.shape(), operands.iter().copied(), false).unwrap();
        let class = plan.in_vectors(&operands, count).class;
        assert_eq!(usize::from(class.vector), count);
        let text = source(&Recipe { skeleton: Skeleton::Elementwise, expr, output: dtype, class });
        assert!(!text.contains('@'), "unfilled place:\n{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn small_turned_operands_are_walked_in_blocks() {
    for (dtype, name) in [(DType::I8, "blocks_gpu"), (DType::F16, "blocks_half_gpu")] {
        let layout = Layout::contiguous(&[136, 144], dtype.size(), Order::C).unwrap();
        let turned = Layout::contiguous(&[144, 136], dtype.size(), Order::C).unwrap().reversed_axes();
        let operands = [&turned, &layout, &layout];
        let plan = Plan::new(DeviceClass::Gpu, layout.shape(), operands.iter().copied(), false).unwrap();
        let class = plan.tiled(&operands, 64, 4).class;
        assert_eq!((class.tile, class.vector), (128, 4));
        let expr = sum_of(dtype, dtype);
        let text = source(&Recipe { skeleton: Skeleton::Elementwise, expr, output: dtype, class });
        assert!(!text.contains('@'), "unfilled place:\n{text}");
        insta::assert_snapshot!(name, text);
    }
}

#[test]
fn cpus_know_the_usual_steps_along_rows() {
    let full = Layout::contiguous(&[20, 30], 2, Order::C).unwrap();
    let along = |shape: &[usize], step| {
        let whole = Layout::contiguous(shape, 2, Order::C).unwrap();
        whole.index(&[Index::FULL, Index::Slice { start: None, stop: None, step }]).unwrap()
    };
    let mut expr = Expr::new();
    let (x, y, z) = (expr.array(DType::F16), expr.array(DType::I16), expr.array(DType::I16));
    let sum = expr.binary(BinaryOp::Add, x, y).unwrap();
    let sum = expr.binary(BinaryOp::Add, sum, z).unwrap();
    expr.cast(sum, DType::F16);
    let operands = [&along(&[20, 30], -1), &along(&[20, 60], 2), &along(&[20, 90], 3), &full];
    insta::assert_snapshot!("steps_cpu", source(&recipe(expr, &[20, 30], &operands, DeviceClass::Cpu)));
}

#[test]
fn cpus_call_functions_by_vectors() {
    let mut expr = Expr::new();
    let (x, y, s) = (expr.array(DType::F16), expr.array(DType::F64), expr.scalar(DType::F16));
    let scaled = expr.binary(BinaryOp::Multiply, s, x).unwrap();
    let angle = expr.call(Function::Sin, &[scaled]).unwrap();
    let power = expr.binary(BinaryOp::Power, angle, y).unwrap();
    expr.binary(BinaryOp::Subtract, power, x).unwrap();
    let (half, full) = (
        Layout::contiguous(&[8, 30], 2, Order::C).unwrap(),
        Layout::contiguous(&[8, 30], 8, Order::C).unwrap(),
    );
    let row = Layout::contiguous(&[30], 2, Order::C).unwrap();
    for (layout, walk) in [(&half, "flat"), (&row, "rows")] {
        let recipe = recipe(expr.clone(), &[8, 30], &[layout, &full, &full], DeviceClass::Cpu);
        let text = source(&recipe);
        assert!(!text.contains('@'), "unfilled place:\n{text}");
        insta::assert_snapshot!(format!("calls_{walk}_cpu"), text);
        let reduction = Recipe { skeleton: Skeleton::Reduction(BinaryOp::Add), ..recipe };
        insta::assert_snapshot!(format!("calls_reduce_{walk}_cpu"), source(&reduction));
    }
}

#[test]
fn small_integers_are_reduced_in_vectors() {
    let layout = Layout::contiguous(&[1000], 1, Order::C).unwrap();
    let mut expr = Expr::new();
    let (x, y) = (expr.array(DType::U8), expr.array(DType::U8));
    let difference = expr.binary(BinaryOp::Subtract, x, y).unwrap();
    expr.cast(difference, DType::U64);
    let operands = [&layout, &layout];
    let mut class = Plan::new(DeviceClass::Gpu, &[1000], operands.into_iter(), false).unwrap().class;
    class.vector = 16;
    let skeleton = Skeleton::Reduction(BinaryOp::Add);
    let text = source(&Recipe { skeleton, expr, output: DType::U64, class });
    assert!(!text.contains('@'), "unfilled place:\n{text}");
    insta::assert_snapshot!("reduce_vectors_gpu", text);
}

#[test]
fn both_kernels_of_a_reduction_are_one_program() {
    let class = |layout: &Layout| {
        Plan::new(DeviceClass::Gpu, layout.shape(), [layout].into_iter(), false).unwrap().class
    };
    let skeleton = Skeleton::Reduction(BinaryOp::Multiply);
    let mut expr = Expr::new();
    let x = expr.array(DType::C64);
    expr.unary(UnaryOp::Conjugate, x).unwrap();
    let every = Index::Slice { start: None, stop: None, step: 2 };
    let layout = Layout::contiguous(&[1000], 8, Order::C).unwrap().index(&[every]).unwrap();
    let first = Recipe { skeleton, expr, output: DType::C64, class: class(&layout) };
    let mut expr = Expr::new();
    expr.array(DType::C64);
    let layout = Layout::contiguous(&[16], 8, Order::C).unwrap();
    let second = Recipe { skeleton, expr, output: DType::C64, class: class(&layout) };
    let text = source_of_both(&first, &second, 8);
    assert!(!text.contains('@'), "unfilled place:\n{text}");
    insta::assert_snapshot!("reduce_both_gpu", text);
}
