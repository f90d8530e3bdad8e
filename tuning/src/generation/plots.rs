//! The plots of a report, as SVG documents.

use plotters::prelude::*;

/// An error of the drawing library.
pub(super) type Fault = Box<dyn std::error::Error>;

/// A named curve.
pub(super) struct Curve {
    /// Name in the legend.
    pub(super) name: String,
    /// Points in drawing order.
    pub(super) points: Vec<(f64, f64)>,
}

const COLORS: [RGBColor; 4] = [BLUE, RED, GREEN, MAGENTA];

/// The range of some numbers with a margin; 0 to 1 if there are none.
fn span(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (min, max) = numbers.fold((f64::MAX, f64::MIN), |(min, max), number| (min.min(number), max.max(number)));
    if min > max {
        return (0.0, 1.0);
    }
    let margin = ((max - min) * 0.05).max(1e-6);
    (min - margin, max + margin)
}

/// Draws curves with common axes.
pub(super) fn curves(title: &str, [x_name, y_name]: [&str; 2], curves: &[Curve]) -> Result<String, Fault> {
    let mut document = String::new();
    {
        let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
        let (left, right) = span(points().map(|(x, _)| x));
        let (low, high) = span(points().map(|(_, y)| y));
        let root = SVGBackend::with_string(&mut document, (900, 500)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(80)
            .build_cartesian_2d(left..right, low..high)?;
        chart.configure_mesh().x_desc(x_name).y_desc(y_name).draw()?;
        for (curve, color) in curves.iter().zip(COLORS.into_iter().cycle()) {
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), color.stroke_width(2)))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
        root.present()?;
    }
    Ok(document)
}

/// Draws counts as bars: each starts at its number and has the given width.
pub(super) fn bars(title: &str, x_name: &str, width: f64, counts: &[(f64, u64)]) -> Result<String, Fault> {
    let mut document = String::new();
    {
        let (left, right) = span(counts.iter().flat_map(|&(x, _)| [x, x + width]));
        let high = counts.iter().map(|&(_, count)| count as f64).fold(1.0, f64::max) * 1.05;
        let root = SVGBackend::with_string(&mut document, (900, 400)).into_drawing_area();
        root.fill(&WHITE)?;
        let mut chart = ChartBuilder::on(&root)
            .caption(title, ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(80)
            .build_cartesian_2d(left..right, 0.0..high)?;
        chart.configure_mesh().x_desc(x_name).y_desc("positions").draw()?;
        chart
            .draw_series(counts.iter().map(|&(x, count)| Rectangle::new([(x, 0.0), (x + width, count as f64)], BLUE.filled())))?;
        root.present()?;
    }
    Ok(document)
}
