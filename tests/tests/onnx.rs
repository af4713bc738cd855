//! Small ONNX files, written by hand: a policy that is one matrix, with its numbers held to -1 and 1.
//!
//! The format is Protocol Buffers; the numbers of the fields are those of `onnx.proto`.

/// `action = clip(observation x weights + bias, -1, 1)`.
///
/// With powers of two as weights, and two terms at most for each number, every implementation decides the same, bit by bit.
#[derive(Clone, Debug)]
pub struct LinearPolicy {
    /// `touchline.observe`: a JSON list.
    pub observe: String,
    /// `touchline.act`: a JSON list.
    pub act: String,
    /// `touchline.decision_s`.
    pub decision_s: String,
    /// Name of the model's input.
    pub input: String,
    /// Name of the model's output.
    pub output: String,
    /// A row for each number that is observed, with a number for each that is decided.
    pub weights: Vec<Vec<f32>>,
    /// A number for each that is decided.
    pub bias: Vec<f32>,
    /// Whether what is decided is held to -1 and 1.
    pub clips: bool,
    /// The last operator, if it does not hold them.
    pub operator: String,
}

impl LinearPolicy {
    /// Drives to the ball, at full speed as long as it is far, turns to it, and kicks all the time.
    ///
    /// It observes the ball, and what is in `more`, to which it pays no heed; that comes to `width` numbers in all.
    pub fn to_the_ball(more: &[&str], width: usize) -> Self {
        let words: Vec<&str> = ["truth.ball-0"].iter().chain(more).copied().collect();
        let mut weights = vec![vec![0.0; 3]; width];
        // Ahead drives, aside turns.
        weights[0][0] = 2.0;
        weights[1][1] = 4.0;
        Self {
            observe: format!("{words:?}"),
            act: r#"["drive", "kicker.kick"]"#.into(),
            decision_s: "0.1".into(),
            input: "observation".into(),
            output: "action".into(),
            weights,
            bias: vec![0.0, 0.0, 1.0],
            clips: true,
            operator: "Identity".into(),
        }
    }

    /// What it decides of an observation.
    pub fn decide(&self, observed: &[f32]) -> Vec<f32> {
        let sum = |place: usize| -> f32 {
            let terms = observed.iter().zip(&self.weights).map(|(number, row)| number * row[place]);
            self.bias[place] + terms.sum::<f32>()
        };
        let held = |sum: f32| if self.clips { sum.clamp(-1.0, 1.0) } else { sum };
        (0..self.bias.len()).map(|place| held(sum(place))).collect()
    }

    /// The model as an ONNX file.
    pub fn bytes(&self) -> Vec<u8> {
        let (rows, columns) = (self.weights.len(), self.bias.len());
        let weights: Vec<f32> = self.weights.iter().flatten().copied().collect();
        let last = match self.clips {
            true => node(&["sum", "lowest", "highest"], &self.output, "Clip"),
            false => node(&["sum"], &self.output, &self.operator),
        };
        let graph = [
            node(&[&self.input, "weights"], "product", "MatMul"),
            node(&["product", "bias"], "sum", "Add"),
            last,
            tensor("lowest", &[], &[-1.0]),
            tensor("highest", &[], &[1.0]),
            text(2, "policy"),
            tensor("weights", &[rows, columns], &weights),
            tensor("bias", &[columns], &self.bias),
            value(11, &self.input, rows),
            value(12, &self.output, columns),
        ]
        .concat();
        let metadata = |key: &str, value: &str| field(14, &[text(1, key), text(2, value)].concat());
        [
            number(1, 8),
            field(8, &[text(1, ""), number(2, 17)].concat()),
            field(7, &graph),
            metadata("touchline.observe", &self.observe),
            metadata("touchline.act", &self.act),
            metadata("touchline.decision_s", &self.decision_s),
            metadata("touchline.world", "a test"),
        ]
        .concat()
    }
}

fn node(inputs: &[&str], output: &str, kind: &str) -> Vec<u8> {
    let inputs: Vec<u8> = inputs.iter().flat_map(|input| text(1, input)).collect();
    field(1, &[inputs, text(2, output), text(3, output), text(4, kind)].concat())
}

fn tensor(name: &str, shape: &[usize], numbers: &[f32]) -> Vec<u8> {
    const FLOAT: u64 = 1;
    let dims: Vec<u8> = shape.iter().flat_map(|&size| number(1, size as u64)).collect();
    let raw: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    field(5, &[dims, number(2, FLOAT), text(8, name), field(9, &raw)].concat())
}

/// An input or output: any number of rows of so many floats.
fn value(tag: u64, name: &str, width: usize) -> Vec<u8> {
    let rows = field(1, &text(2, "N"));
    let columns = field(1, &number(1, width as u64));
    let of_floats = [number(1, 1), field(2, &[rows, columns].concat())].concat();
    field(tag, &[text(1, name), field(2, &field(1, &of_floats))].concat())
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn number(tag: u64, value: u64) -> Vec<u8> {
    [varint(tag << 3), varint(value)].concat()
}

fn field(tag: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(tag << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

fn text(tag: u64, text: &str) -> Vec<u8> {
    field(tag, text.as_bytes())
}
