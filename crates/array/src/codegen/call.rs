//! Calls of functions as OpenCL C.

use std::collections::BTreeSet;

use super::element::{Header, prefix};
use crate::dtype::{DType, Kind};
use crate::expr::{Domain, Function, Source};

/// `function(operands)` for operands that the policy made fit.
pub(super) fn call(
    function: Function,
    (a, first): (&str, DType),
    second: Option<(&str, DType)>,
    headers: &mut BTreeSet<Header>,
) -> String {
    let name = function.name();
    let operands = match second {
        Some((b, _)) if function.domain() == Domain::Scaled => format!("{a}, convert_int_sat({b})"),
        Some((b, _)) => format!("{a}, {b}"),
        None => a.to_owned(),
    };
    // The operand that decides is the one in which the function computes.
    let main = match (function.domain(), second) {
        (Domain::OrderReal | Domain::OrderNumber, Some((_, dtype))) => dtype,
        _ => first,
    };
    match (function.domain(), main.kind()) {
        (Domain::Whole, Kind::Bool | Kind::Signed | Kind::Unsigned) => return a.to_owned(),
        (Domain::Remainder, Kind::Signed | Kind::Unsigned) => {
            headers.insert(Header::IntegerDivision);
            return format!("{name}_{}({operands})", main.value_type());
        }
        (_, Kind::Complex) => {
            headers.extend([Header::Complex(main), Header::ComplexFunctions(main)]);
            if function.source() == Source::Bessel {
                headers.insert(Header::BesselComplex(main));
            }
        }
        _ => match function.source() {
            Source::OpenCl => return format!("{name}({operands})"),
            Source::Parts => {
                headers.insert(Header::Parts(main.computed()));
            }
            Source::Bessel => {
                headers.insert(Header::Bessel(main.computed()));
            }
        },
    }
    format!("{}_{name}({operands})", prefix(main))
}
