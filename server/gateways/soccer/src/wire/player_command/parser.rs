//! Commands one after the other from a datagram, up to the first that is wrong.

use super::super::token::{Token, Tokens};
use super::{IllegalForm, PlayerCommand, TeamWord, ViewWidth};
use touchline_soccer_law::hearing::EarPart;

/// No number is larger; every command's own range is within it.
const MOST: f64 = 1e30;

/// The commands of a datagram's text in their order; after an error comes nothing more. A text without a command is one.
pub struct PlayerCommands<'a> {
    tokens: Tokens<'a>,
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    First,
    Between,
    /// Within the legs of a dash: whether the left, or the right one, was there.
    Legs([bool; 2]),
    Ended,
}

impl<'a> PlayerCommands<'a> {
    /// At the beginning of a text, which ends before its NUL.
    pub fn new(text: &'a [u8]) -> Self {
        Self { tokens: Tokens::new(text), state: State::First }
    }
}

impl<'a> Iterator for PlayerCommands<'a> {
    type Item = Result<PlayerCommand<'a>, IllegalForm>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = loop {
            match self.state {
                State::Ended => return None,
                State::Legs(done) => match self.leg(done) {
                    Ok(Some(leg)) => break Ok(leg),
                    Ok(None) => self.state = State::Between,
                    Err(wrong) => break Err(wrong),
                },
                State::First | State::Between => match self.tokens.next() {
                    None if self.state == State::First => break Err(IllegalForm),
                    None => return None,
                    Some(Token::Say(message)) => {
                        self.state = State::Between;
                        return Some(Ok(PlayerCommand::Say(message)));
                    }
                    Some(Token::Open) => match self.command() {
                        Ok(Some(command)) => {
                            self.state = State::Between;
                            return Some(Ok(command));
                        }
                        Ok(None) => self.state = State::Legs([false; 2]),
                        Err(wrong) => break Err(wrong),
                    },
                    Some(_) => break Err(IllegalForm),
                },
            }
        };
        if read.is_err() {
            self.state = State::Ended;
        }
        Some(read)
    }
}

impl<'a> PlayerCommands<'a> {
    /// One leg of a dash, or the dash's end after at least one.
    fn leg(&mut self, done: [bool; 2]) -> Result<Option<PlayerCommand<'a>>, IllegalForm> {
        match self.tokens.next() {
            Some(Token::Close) if done != [false; 2] => return Ok(None),
            Some(Token::Open) => {}
            _ => return Err(IllegalForm),
        }
        let is_left = match self.tokens.next() {
            Some(Token::Word("l" | "left")) => true,
            Some(Token::Word("r" | "right")) => false,
            _ => return Err(IllegalForm),
        };
        if done[usize::from(!is_left)] {
            return Err(IllegalForm);
        }
        let (power, dir_deg) = (self.number()?, self.number()?);
        self.close()?;
        let mut now = done;
        now[usize::from(!is_left)] = true;
        self.state = State::Legs(now);
        Ok(Some(PlayerCommand::DashLeg { is_left, power, dir_deg }))
    }

    /// A command behind its parenthesis; `None` if it is the beginning of a dash by legs.
    fn command(&mut self) -> Result<Option<PlayerCommand<'a>>, IllegalForm> {
        use PlayerCommand as C;
        let Some(Token::Word(word)) = self.tokens.next() else { return Err(IllegalForm) };
        let command = match word {
            "dash" => {
                if self.is_next(Token::Open) {
                    return Ok(None);
                }
                let power = self.number()?;
                let dir_deg = if self.is_next(Token::Close) { 0.0 } else { self.number()? };
                C::Dash { power, dir_deg }
            }
            "turn" => C::Turn(self.number()?),
            "turn_neck" => C::TurnNeck(self.number()?),
            "change_focus" => C::ChangeFocus { dist: self.number()?, dir_deg: self.number()? },
            "kick" => C::Kick { power: self.number()?, dir_deg: self.number()? },
            "long_kick" => {
                self.number()?;
                self.number()?;
                C::LongKick
            }
            "catch" => C::Catch(self.number()?),
            "say" => match self.tokens.next() {
                Some(Token::Quoted(text)) => C::Say(text.trim_matches('"')),
                Some(Token::Word(text)) if !is_keyword(text) => C::Say(text),
                _ => return Err(IllegalForm),
            },
            "sense_body" => C::SenseBody,
            "score" => C::Score,
            "move" => C::Move([self.number()?, self.number()?]),
            "change_view" => self.change_view()?,
            "compression" => C::Compression(self.integer()?),
            "bye" => C::Bye,
            "done" => C::Done,
            "pointto" if self.take_word("off") => C::PointTo(None),
            "pointto" => C::PointTo(Some([self.number()?, self.number()?])),
            "attentionto" if self.take_word("off") => C::AttentionTo(None),
            "attentionto" => {
                let team = self.team()?.ok_or(IllegalForm)?;
                C::AttentionTo(Some((team, self.integer()?)))
            }
            "tackle" => {
                let power_or_angle = self.number()?;
                let foul = if self.is_next(Token::Close) { false } else { self.boolean()? };
                C::Tackle { power_or_angle, foul }
            }
            "clang" => {
                self.open()?;
                if !self.take_word("ver") {
                    return Err(IllegalForm);
                }
                let versions = [self.integer()?, self.integer()?];
                self.close()?;
                C::Clang(versions)
            }
            "ear" => self.ear()?,
            "synch_see" => C::SynchSee,
            "gaussian_see" => C::GaussianSee,
            _ => return Err(IllegalForm),
        };
        self.close()?;
        Ok(Some(command))
    }

    fn change_view(&mut self) -> Result<PlayerCommand<'a>, IllegalForm> {
        let width = match self.tokens.next() {
            Some(Token::Word("narrow")) => ViewWidth::Narrow,
            Some(Token::Word("normal")) => ViewWidth::Normal,
            Some(Token::Word("wide")) => ViewWidth::Wide,
            _ => return Err(IllegalForm),
        };
        let is_high = match () {
            () if self.take_word("high") => Some(true),
            () if self.take_word("low") => Some(false),
            () => None,
        };
        Ok(PlayerCommand::ChangeView { width, is_high })
    }

    fn ear(&mut self) -> Result<PlayerCommand<'a>, IllegalForm> {
        self.open()?;
        let on = match self.tokens.next() {
            Some(Token::Word("on")) => true,
            Some(Token::Word("off")) => false,
            _ => return Err(IllegalForm),
        };
        let team = self.team()?;
        let part = match () {
            () if self.take_word("partial") || self.take_word("p") => Some(EarPart::Partial),
            () if self.take_word("complete") || self.take_word("c") => Some(EarPart::Complete),
            () => None,
        };
        self.close()?;
        Ok(PlayerCommand::Ear { on, team, part })
    }

    /// A team, if a word follows that can be one.
    fn team(&mut self) -> Result<Option<TeamWord<'a>>, IllegalForm> {
        let team = match self.peek() {
            Some(Token::Word("our")) => TeamWord::Our,
            Some(Token::Word("opp")) => TeamWord::Opp,
            Some(Token::Word("l" | "left")) => TeamWord::Left,
            Some(Token::Word("r" | "right")) => TeamWord::Right,
            Some(Token::Word(name)) if !is_keyword(name) => TeamWord::Named(name),
            // The real server takes a name between marks with its marks, which no team has.
            // The marks belong to the name: no team is called so.
            Some(Token::Quoted(name)) => TeamWord::Named(name),
            _ => return Ok(None),
        };
        self.tokens.next();
        Ok(Some(team))
    }

    fn boolean(&mut self) -> Result<bool, IllegalForm> {
        match self.tokens.next() {
            Some(Token::Word("on" | "true")) => Ok(true),
            Some(Token::Word("off" | "false")) => Ok(false),
            _ => Err(IllegalForm),
        }
    }

    fn number(&mut self) -> Result<f64, IllegalForm> {
        match self.tokens.next() {
            Some(Token::Integer(number)) => Ok(f64::from(number)),
            // As for C, 1e999 is more than all others; held, so that it can be reckoned with.
            Some(Token::Real(number)) => Ok(number.clamp(-MOST, MOST)),
            _ => Err(IllegalForm),
        }
    }

    fn integer(&mut self) -> Result<i32, IllegalForm> {
        match self.tokens.next() {
            Some(Token::Integer(number)) => Ok(number),
            _ => Err(IllegalForm),
        }
    }

    fn open(&mut self) -> Result<(), IllegalForm> {
        if self.tokens.next() == Some(Token::Open) { Ok(()) } else { Err(IllegalForm) }
    }

    fn close(&mut self) -> Result<(), IllegalForm> {
        if self.tokens.next() == Some(Token::Close) { Ok(()) } else { Err(IllegalForm) }
    }

    fn peek(&self) -> Option<Token<'a>> {
        let mut ahead = self.tokens;
        ahead.next()
    }

    fn is_next(&self, token: Token<'_>) -> bool {
        self.peek() == Some(token)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.is_next(Token::Word(word));
        if is_next {
            self.tokens.next();
        }
        is_next
    }
}

/// The words that cannot be names.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: [&str; 43] = [
        "dash",
        "turn",
        "turn_neck",
        "change_focus",
        "kick",
        "long_kick",
        "catch",
        "say",
        "sense_body",
        "score",
        "move",
        "change_view",
        "compression",
        "bye",
        "done",
        "pointto",
        "attentionto",
        "tackle",
        "clang",
        "ear",
        "synch_see",
        "gaussian_see",
        "narrow",
        "normal",
        "wide",
        "low",
        "high",
        "on",
        "off",
        "our",
        "opp",
        "left",
        "right",
        "l",
        "r",
        "partial",
        "complete",
        "p",
        "c",
        "ver",
        "true",
        "false",
        "",
    ];
    KEYWORDS.contains(&word)
}
