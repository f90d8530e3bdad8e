//! Plots of loss curves.

use super::Round;
use plotters::prelude::*;

/// An error of the drawing library.
#[derive(Debug, thiserror::Error)]
#[error("loss curves: {0}")]
pub struct DrawingError(String);

/// Draws the losses of training and validation over the rounds as an SVG document.
///
/// # Errors
/// An error of the drawing library.
pub fn draw_losses(name: &str, history: &[Round]) -> Result<String, DrawingError> {
    let mut document = String::new();
    draw(name, history, &mut document).map_err(|error| DrawingError(error.to_string()))?;
    Ok(document)
}

fn draw(name: &str, history: &[Round], document: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let losses = || history.iter().flat_map(|round| [round.loss, round.validation_loss]);
    let (min, max) = losses().fold((f64::MAX, f64::MIN), |(min, max), loss| (min.min(loss), max.max(loss)));
    let margin = ((max - min) * 0.05).max(1e-6);
    let (low, high) = if history.is_empty() { (0.0, 1.0) } else { (min - margin, max + margin) };
    let last = history.last().map_or(1, |round| round.round + 1) as f64;
    let root = SVGBackend::with_string(document, (900, 500)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(format!("{name}: loss by round"), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(80)
        .build_cartesian_2d(1.0..last.max(2.0), low..high)?;
    chart
        .configure_mesh()
        .x_desc("round")
        .y_desc("mean squared error of the chance to win")
        .y_label_formatter(&|loss| format!("{loss:.5}"))
        .draw()?;
    type Loss = fn(&Round) -> f64;
    let curves: [(&str, RGBColor, Loss); 2] =
        [("training", BLUE, |round| round.loss), ("validation", RED, |round| round.validation_loss)];
    for (label, color, loss) in curves {
        chart
            .draw_series(LineSeries::new(
                history.iter().map(|round| (round.round as f64 + 1.0, loss(round))),
                color.stroke_width(2),
            ))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plot_has_both_curves() {
        let round = |round: usize| Round {
            round,
            loss: 0.1 / (round + 1) as f64,
            validation_loss: 0.12 / (round + 1) as f64,
            rate: 0.001,
            result_share: 0.3,
            positions: 1000,
            seconds: 1.0,
        };
        let picture = draw_losses("test", &[round(0), round(1), round(2)]).expect("a picture");
        assert!(picture.starts_with("<svg") && picture.matches("<polyline").count() >= 2);
        assert!(picture.contains("validation"));
        assert!(draw_losses("test", &[]).is_ok());
    }
}
