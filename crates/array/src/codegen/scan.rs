//! The text of scans.

use super::access::Operands;
use super::template::render;
use super::{Recipe, Scan, element};
use crate::plan::DeviceClass;

/// The kernel of a scan's phase.
pub(super) fn body(recipe: &Recipe, operands: &Operands<'_>, scan: Scan) -> String {
    let accumulator = recipe.expr.result().map_or(recipe.output, |(_, dtype)| dtype);
    let store = |sum: &str| operands.store(&element::cast(sum, accumulator, recipe.output));
    let group = match recipe.class.device {
        DeviceClass::Gpu => "get_group_id(0)",
        DeviceClass::Cpu => "get_global_id(0)",
    };
    let mut parameters = operands.parameters();
    let mut carry = "IDENTITY".to_owned();
    if matches!(scan, Scan::Shares { .. }) {
        parameters.push_str(",\nglobal const accumulator_t *restrict carries");
        carry = format!("carries[{group}]");
    }
    // One element, whose value is `value`.
    let step = |value: &str| match scan {
        Scan::Totals => format!("sum = combine(sum, {value});"),
        Scan::Whole { exclusive: false } | Scan::Shares { exclusive: false } => {
            format!("sum = combine(sum, {value});\n{}", store("sum"))
        }
        Scan::Whole { exclusive: true } | Scan::Shares { exclusive: true } => {
            format!("const accumulator_t value = {value};\n{}\nsum = combine(sum, value);", store("sum"))
        }
    };
    let total = if recipe.class.device == DeviceClass::Gpu { "carry" } else { "sum" };
    let finish = match scan {
        Scan::Totals => {
            let statement = format!("const index_t i = (index_t){group};\n{}", store(total));
            match recipe.class.device {
                DeviceClass::Gpu => {
                    let lines: String = statement.lines().map(|line| format!("    {line}\n")).collect();
                    format!("if (lane == 0) {{\n{lines}}}")
                }
                DeviceClass::Cpu => statement,
            }
        }
        _ => String::new(),
    };
    let mut values = vec![
        ("parameters", parameters),
        ("bindings", operands.bindings()),
        ("fresh", operands.fresh()),
        ("carry", carry),
        ("finish", finish),
    ];
    match recipe.class.device {
        DeviceClass::Gpu => {
            let apply = match scan {
                Scan::Totals => String::new(),
                _ => render(include_str!("../../kernels/scan_apply_gpu.cl"), &[("step", step("values[k]"))]),
            };
            values.extend([("locate_inputs", operands.locate(true, false)), ("apply", apply)]);
            render(include_str!("../../kernels/scan_gpu.cl"), &values)
        }
        DeviceClass::Cpu => {
            let flat = recipe.class.ndim == 0;
            let step = step(&operands.fresh());
            let (walk, body) = if flat {
                (include_str!("../../kernels/walk_flat.cl"), step)
            } else {
                let place = "const index_t i = start + j;\n";
                (include_str!("../../kernels/walk_rows.cl"), format!("{place}{step}"))
            };
            values.extend([
                ("body", body),
                ("locate_row", operands.locate_row()),
                ("advance", operands.advance()),
                ("inner_start", operands.inner_start()),
            ]);
            let walk = render(walk, &values);
            values.push(("walk", walk));
            render(include_str!("../../kernels/scan_cpu.cl"), &values)
        }
    }
}
