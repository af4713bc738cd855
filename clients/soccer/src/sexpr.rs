//! Lists in brackets, as the server writes them.

/// So deep goes no message of the server.
const MAX_DEPTH: usize = 12;

/// A word or a list.
#[derive(Clone, Debug, PartialEq)]
pub enum Node<'a> {
    /// Anything without blanks and brackets, or what stands between quotation marks.
    Word(&'a str),
    /// What stands in brackets.
    List(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    /// The list that a message is; `None` if it is none.
    pub fn read(text: &'a str) -> Option<Self> {
        let mut rest = text.trim_start();
        rest = rest.strip_prefix('(')?;
        list(&mut rest, 0)
    }

    /// The word; `None` for a list.
    pub fn word(&self) -> Option<&'a str> {
        match self {
            Self::Word(word) => Some(word),
            Self::List(_) => None,
        }
    }

    /// A finite number.
    pub fn number(&self) -> Option<f64> {
        self.word()?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// What is in the list; nothing in a word.
    pub fn items(&self) -> &[Node<'a>] {
        match self {
            Self::Word(_) => &[],
            Self::List(items) => items,
        }
    }

    /// The first word of a list.
    pub fn name(&self) -> Option<&'a str> {
        self.items().first()?.word()
    }

    /// The list in this one that begins with a word.
    pub fn find(&self, name: &str) -> Option<&Node<'a>> {
        self.items().iter().find(|item| item.name() == Some(name))
    }

    /// Number at a place of the list that begins with a word.
    pub fn number_of(&self, name: &str, place: usize) -> Option<f64> {
        self.find(name)?.items().get(place)?.number()
    }
}

/// What follows an opening bracket, up to the closing one.
fn list<'a>(rest: &mut &'a str, depth: usize) -> Option<Node<'a>> {
    let mut items = Vec::new();
    loop {
        *rest = rest.trim_start();
        match rest.chars().next()? {
            ')' => {
                *rest = &rest[1..];
                return Some(Node::List(items));
            }
            '(' if depth == MAX_DEPTH => return None,
            '(' => {
                *rest = &rest[1..];
                items.push(list(rest, depth + 1)?);
            }
            '"' => {
                let (word, behind) = rest[1..].split_once('"')?;
                items.push(Node::Word(word));
                *rest = behind;
            }
            _ => {
                let end = rest.find(|letter: char| letter.is_whitespace() || "()\"".contains(letter))?;
                items.push(Node::Word(&rest[..end]));
                *rest = &rest[end..];
            }
        }
    }
}
