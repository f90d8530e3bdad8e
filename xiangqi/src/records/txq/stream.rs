//! The subset of Java object streams used by TCHESS games: the grammar of the Java Object Serialization Specification, chapter 6, without
//! arrays, proxies and exceptions. The reader is not recursive, so deep nesting cannot overflow the stack, and its memory use is
//! proportional to the size of the file.

use crate::records::{RecordError, RecordProblem};

/// Signature and version of a stream.
pub(super) const MAGIC: [u8; 4] = [0xac, 0xed, 0, 5];

const NULL: u8 = 0x70;
const REFERENCE: u8 = 0x71;
const CLASS: u8 = 0x72;
const OBJECT: u8 = 0x73;
const STRING: u8 = 0x74;
const BLOCK: u8 = 0x77;
const END: u8 = 0x78;
const LONG_BLOCK: u8 = 0x7a;
const LONG_STRING: u8 = 0x7c;
const ENUM: u8 = 0x7e;
/// The first handle assigned in a stream.
const FIRST_HANDLE: u32 = 0x7e_0000;
const WRITES_ITSELF: u8 = 1;
const IS_SERIALIZABLE: u8 = 2;
/// Maximum depth of inheritance.
const MOST_PARENTS: usize = 16;

/// The value of a field or list element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Null,
    Number(i64),
    Text(usize),
    Object(usize),
}

/// The target of a reference.
#[derive(Clone, Copy)]
enum Handle {
    Class(usize),
    Object(usize),
    Text(usize),
}

struct Class {
    name: String,
    flags: u8,
    /// Type code and name of each field.
    fields: Vec<(u8, String)>,
    parent: Option<usize>,
}

struct Object {
    class: usize,
    /// Class, index of the field in the class, and value.
    fields: Vec<(usize, usize, Value)>,
    /// Values written by the `writeObject` method of a list.
    items: Vec<Value>,
}

/// The objects of a stream.
pub(super) struct Objects {
    classes: Vec<Class>,
    objects: Vec<Object>,
    texts: Vec<String>,
    root: Value,
    /// Offset of the end of the first object.
    pub(super) end: usize,
}

/// An item on the stack of pending input.
enum Task {
    /// The fields of an object that belong to a class, starting at an index.
    Fields { object: usize, class: usize, from: usize },
    /// The data written by the `writeObject` method of an object.
    Items(usize),
}

/// The destination of a value.
#[derive(Clone, Copy)]
enum Place {
    Root,
    Field { object: usize, class: usize, field: usize },
    Item(usize),
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    handles: Vec<Handle>,
    tasks: Vec<Task>,
    found: Objects,
}

impl Objects {
    /// Reads the first object of a stream with all its contents.
    ///
    /// # Errors
    /// Returns an error if the stream is malformed, truncated, or uses unsupported features.
    pub(super) fn read(bytes: &[u8]) -> Result<Objects, RecordError> {
        let found = Objects { classes: Vec::new(), objects: Vec::new(), texts: Vec::new(), root: Value::Null, end: 0 };
        let mut reader = Reader { bytes, at: MAGIC.len().min(bytes.len()), handles: Vec::new(), tasks: Vec::new(), found };
        if !bytes.starts_with(&MAGIC) {
            return Err(RecordError::new("byte 0", "expected the signature AC ED 00 05 of a Java object stream"));
        }
        reader.value(Place::Root)?;
        while let Some(task) = reader.tasks.pop() {
            match task {
                Task::Fields { object, class, from } => reader.fields(object, class, from)?,
                Task::Items(object) => reader.items(object)?,
            }
        }
        reader.found.end = reader.at;
        Ok(reader.found)
    }

    pub(super) fn root(&self) -> Option<usize> {
        if let Value::Object(object) = self.root { Some(object) } else { None }
    }

    /// The class name of an object.
    pub(super) fn class(&self, object: usize) -> &str {
        &self.classes[self.objects[object].class].name
    }

    fn field(&self, object: usize, name: &str) -> Option<Value> {
        let is_named = |&&(class, field, _): &&(usize, usize, Value)| self.classes[class].fields[field].1 == name;
        self.objects[object].fields.iter().find(is_named).map(|&(_, _, value)| value)
    }

    pub(super) fn text(&self, object: usize, name: &str) -> Option<&str> {
        if let Some(Value::Text(text)) = self.field(object, name) { Some(&self.texts[text]) } else { None }
    }

    pub(super) fn number(&self, object: usize, name: &str) -> Option<i64> {
        if let Some(Value::Number(number)) = self.field(object, name) { Some(number) } else { None }
    }

    pub(super) fn object(&self, object: usize, name: &str) -> Option<usize> {
        if let Some(Value::Object(object)) = self.field(object, name) { Some(object) } else { None }
    }

    /// The objects in a list.
    pub(super) fn items(&self, list: usize) -> impl Iterator<Item = usize> + '_ {
        let object = |value: &Value| if let Value::Object(object) = value { Some(*object) } else { None };
        self.objects[list].items.iter().filter_map(object)
    }
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self, inside: &str) -> Result<[u8; N], RecordError> {
        let taken = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let Some(&taken) = taken else { return Err(self.truncated(inside)) };
        self.at += N;
        Ok(taken)
    }

    fn slice(&mut self, length: u64, inside: &str) -> Result<&[u8], RecordError> {
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        let Some(end) = end.filter(|&end| end <= self.bytes.len()) else { return Err(self.truncated(inside)) };
        let slice = &self.bytes[self.at..end];
        self.at = end;
        Ok(slice)
    }

    fn truncated(&self, inside: &str) -> RecordError {
        RecordError::new(format!("byte {}", self.bytes.len()), RecordProblem::Truncated(inside.to_string()))
    }

    fn expected(&self, expected: &str) -> RecordError {
        RecordError::new(format!("byte {}", self.at.saturating_sub(1)), format!("expected {expected}"))
    }

    fn short_text(&mut self) -> Result<String, RecordError> {
        let length = u16::from_be_bytes(self.take("a text")?);
        self.slice(length.into(), "a text").map(decode)
    }

    fn add_text(&mut self, text: String) -> Value {
        self.handles.push(Handle::Text(self.found.texts.len()));
        self.found.texts.push(text);
        Value::Text(self.found.texts.len() - 1)
    }

    fn reference(&mut self) -> Result<Handle, RecordError> {
        let number = u32::from_be_bytes(self.take("a reference")?);
        let index = number.checked_sub(FIRST_HANDLE).map(|index| index as usize);
        let handle = index.and_then(|index| self.handles.get(index)).copied();
        handle.ok_or_else(|| self.expected("a reference to an earlier object"))
    }

    /// Reads and stores a value. The contents of objects become tasks.
    fn value(&mut self, place: Place) -> Result<(), RecordError> {
        let [kind] = self.take("a value")?;
        let value = self.value_of(kind)?;
        self.put(place, value);
        Ok(())
    }

    fn value_of(&mut self, kind: u8) -> Result<Value, RecordError> {
        Ok(match kind {
            NULL => Value::Null,
            REFERENCE => match self.reference()? {
                Handle::Object(object) => Value::Object(object),
                Handle::Text(text) => Value::Text(text),
                Handle::Class(_) => Value::Null,
            },
            STRING => {
                let text = self.short_text()?;
                self.add_text(text)
            }
            LONG_STRING => {
                let length = u64::from_be_bytes(self.take("a text")?);
                let text = self.slice(length, "a text").map(decode)?;
                self.add_text(text)
            }
            OBJECT => {
                let class = self.class()?.ok_or_else(|| self.expected("a class"))?;
                let object = self.found.objects.len();
                self.found.objects.push(Object { class, fields: Vec::new(), items: Vec::new() });
                self.handles.push(Handle::Object(object));
                // The topmost class comes first in the stream, so it is pushed last.
                let (mut next, mut above) = (Some(class), 0);
                while let Some(class) = next {
                    above += 1;
                    if above > MOST_PARENTS {
                        return Err(self.expected("fewer levels of inheritance"));
                    }
                    let Class { flags, parent, .. } = self.found.classes[class];
                    if flags & IS_SERIALIZABLE == 0 {
                        return Err(self.expected("a Serializable class"));
                    }
                    if flags & WRITES_ITSELF != 0 {
                        self.tasks.push(Task::Items(object));
                    }
                    self.tasks.push(Task::Fields { object, class, from: 0 });
                    next = parent;
                }
                Value::Object(object)
            }
            ENUM => {
                self.class()?;
                // An enum constant gets a handle, like an object, before that of its name.
                self.handles.push(Handle::Text(self.found.texts.len()));
                self.found.texts.push(String::new());
                let [kind] = self.take("a name")?;
                match kind {
                    STRING => {
                        let text = self.short_text()?;
                        self.add_text(text)
                    }
                    REFERENCE => self.reference().map(|_| Value::Null)?,
                    _ => return Err(self.expected("the name of a constant")),
                }
            }
            _ => return Err(self.expected("an object, a string, a reference or null")),
        })
    }

    fn put(&mut self, place: Place, value: Value) {
        match place {
            Place::Root => self.found.root = value,
            Place::Field { object, class, field } => self.found.objects[object].fields.push((class, field, value)),
            Place::Item(object) => self.found.objects[object].items.push(value),
        }
    }

    /// Reads fields of an object up to the first that is not primitive, which has to be completed before the others.
    fn fields(&mut self, object: usize, class: usize, from: usize) -> Result<(), RecordError> {
        for field in from..self.found.classes[class].fields.len() {
            let kind = self.found.classes[class].fields[field].0;
            let place = Place::Field { object, class, field };
            let number = match kind {
                b'B' => i8::from_be_bytes(self.take("a field")?).into(),
                b'C' => u16::from_be_bytes(self.take("a field")?).into(),
                b'D' | b'J' => i64::from_be_bytes(self.take("a field")?),
                b'F' | b'I' => i32::from_be_bytes(self.take("a field")?).into(),
                b'S' => i16::from_be_bytes(self.take("a field")?).into(),
                b'Z' => u8::from_be_bytes(self.take("a field")?).into(),
                _ => {
                    self.tasks.push(Task::Fields { object, class, from: field + 1 });
                    return self.value(place);
                }
            };
            self.put(place, Value::Number(number));
        }
        Ok(())
    }

    /// Reads the data of an object's `writeObject` method, up to the first value.
    fn items(&mut self, object: usize) -> Result<(), RecordError> {
        loop {
            let [kind] = self.take("a list")?;
            match kind {
                END => return Ok(()),
                BLOCK => {
                    let [length] = self.take("a block")?;
                    self.slice(length.into(), "a block")?;
                }
                LONG_BLOCK => {
                    let length = u32::from_be_bytes(self.take("a block")?);
                    self.slice(length.into(), "a block")?;
                }
                kind => {
                    self.tasks.push(Task::Items(object));
                    let value = self.value_of(kind)?;
                    self.put(Place::Item(object), value);
                    return Ok(());
                }
            }
        }
    }

    /// Reads the description of a class and its superclasses.
    fn class(&mut self) -> Result<Option<usize>, RecordError> {
        // Refuse references to classes of this description, which could form a cycle.
        let known = self.found.classes.len();
        let mut first = None;
        let mut below: Option<usize> = None;
        for _ in 0..MOST_PARENTS {
            let [kind] = self.take("a class")?;
            let (class, is_new) = match kind {
                NULL => (None, false),
                REFERENCE => match self.reference()? {
                    Handle::Class(class) if class < known => (Some(class), false),
                    _ => return Err(self.expected("a class")),
                },
                CLASS => (Some(self.new_class()?), true),
                _ => return Err(self.expected("a class")),
            };
            if let Some(below) = below {
                self.found.classes[below].parent = class;
            }
            first = first.or(class);
            below = class;
            if !is_new {
                return Ok(first);
            }
        }
        Err(self.expected("fewer levels of inheritance"))
    }

    fn new_class(&mut self) -> Result<usize, RecordError> {
        let name = self.short_text()?;
        let _: [u8; 8] = self.take("a class")?;
        let class = self.found.classes.len();
        self.handles.push(Handle::Class(class));
        self.found.classes.push(Class { name, flags: 0, fields: Vec::new(), parent: None });
        let [flags] = self.take("a class")?;
        let count = u16::from_be_bytes(self.take("a class")?);
        let mut fields = Vec::new();
        for _ in 0..count {
            let [kind] = self.take("a class")?;
            let name = self.short_text()?;
            if matches!(kind, b'L' | b'[') {
                let [kind] = self.take("a class")?;
                match kind {
                    STRING => drop(self.short_text().map(|text| self.add_text(text))?),
                    REFERENCE => drop(self.reference()?),
                    _ => return Err(self.expected("the name of a type")),
                }
            } else if !b"BCDFIJSZ".contains(&kind) {
                return Err(self.expected("the code of a type"));
            }
            fields.push((kind, name));
        }
        let [end] = self.take("a class")?;
        if end != END {
            return Err(self.expected("the end of a class"));
        }
        self.found.classes[class].flags = flags;
        self.found.classes[class].fields = fields;
        Ok(class)
    }
}

/// Decodes Java's modified UTF-8: NUL has two bytes, and characters outside the BMP are two surrogates of three bytes each.
fn decode(bytes: &[u8]) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, behind @ ..] = rest {
        let next = |index: usize| behind.get(index).filter(|byte| *byte & 0xc0 == 0x80).map(|byte| (byte & 0x3f) as u16);
        let (unit, length) = match (first, next(0), next(1)) {
            (0..=0x7f, _, _) => (*first as u16, 0),
            (0xc0..=0xdf, Some(low), _) => ((*first as u16 & 0x1f) << 6 | low, 1),
            (0xe0..=0xef, Some(middle), Some(low)) => ((*first as u16 & 0x0f) << 12 | middle << 6 | low, 2),
            _ => (char::REPLACEMENT_CHARACTER as u16, 0),
        };
        units.push(unit);
        rest = &behind[length..];
    }
    String::from_utf16_lossy(&units)
}

fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        match unit {
            1..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
            _ => bytes.extend([0xe0 | (unit >> 12) as u8, 0x80 | (unit >> 6 & 0x3f) as u8, 0x80 | (unit & 0x3f) as u8]),
        }
    }
    bytes
}

const STRING_TYPE: &str = "Ljava/lang/String;";
const MOVE_TYPE: &str = "Lcom/sojourners/chess/model/ManualRecord;";
const INTEGER_TYPE: &str = "Ljava/lang/Integer;";
const LIST_TYPE: &str = "Ljava/util/List;";

/// The description of a class of the program or of Java.
struct Description {
    name: &'static str,
    serial: u64,
    flags: u8,
    fields: &'static [(&'static str, &'static str)],
    parent: Option<&'static Description>,
}

static GAME: Description = Description {
    name: "com.sojourners.chess.manual.ChessManual",
    serial: 1,
    flags: IS_SERIALIZABLE,
    fields: &[
        ("black", STRING_TYPE),
        ("city", STRING_TYPE),
        ("date", STRING_TYPE),
        ("fenCode", STRING_TYPE),
        ("head", MOVE_TYPE),
        ("name", STRING_TYPE),
        ("red", STRING_TYPE),
    ],
    parent: None,
};
static MOVE: Description = Description {
    name: "com.sojourners.chess.model.ManualRecord",
    serial: 1,
    flags: IS_SERIALIZABLE,
    fields: &[
        ("next", "I"),
        ("cnMove", STRING_TYPE),
        ("id", INTEGER_TYPE),
        ("list", LIST_TYPE),
        ("move", STRING_TYPE),
        ("remark", STRING_TYPE),
        ("score", INTEGER_TYPE),
    ],
    parent: None,
};
// The serial version UIDs are those of the Java class library.
static NUMBER: Description =
    Description { name: "java.lang.Number", serial: 0x86ac_951d_0b94_e08b, flags: IS_SERIALIZABLE, fields: &[], parent: None };
static INTEGER: Description = Description {
    name: "java.lang.Integer",
    serial: 0x12e2_a0a4_f781_8738,
    flags: IS_SERIALIZABLE,
    fields: &[("value", "I")],
    parent: Some(&NUMBER),
};
static LIST: Description = Description {
    name: "java.util.ArrayList",
    serial: 0x7881_d21d_99c7_619d,
    flags: IS_SERIALIZABLE | WRITES_ITSELF,
    fields: &[("size", "I")],
    parent: None,
};

/// Writer of the stream of a game, with nested moves.
pub(super) struct Writer {
    out: Vec<u8>,
    handles: u32,
    /// Class descriptions already in the stream, with their handles.
    known: Vec<(&'static str, u32)>,
}

impl Writer {
    pub(super) fn new() -> Writer {
        Writer { out: MAGIC.to_vec(), handles: 0, known: Vec::new() }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.out
    }

    fn handle(&mut self) -> u32 {
        self.handles += 1;
        FIRST_HANDLE + self.handles - 1
    }

    fn name(&mut self, text: &str) {
        let bytes = encode(text);
        self.out.extend((bytes.len() as u16).to_be_bytes());
        self.out.extend(bytes);
    }

    fn number(&mut self, number: i32) {
        self.out.extend(number.to_be_bytes());
    }

    /// Starts an object with its class description, or a reference to it if it is already in the stream.
    fn object(&mut self, description: &'static Description) {
        self.out.push(OBJECT);
        let mut next = Some(description);
        loop {
            let Some(description) = next else {
                self.out.push(NULL);
                break;
            };
            if let Some(&(_, handle)) = self.known.iter().find(|(name, _)| *name == description.name) {
                self.out.push(REFERENCE);
                self.out.extend(handle.to_be_bytes());
                break;
            }
            self.out.push(CLASS);
            self.name(description.name);
            self.out.extend(description.serial.to_be_bytes());
            let handle = self.handle();
            self.known.push((description.name, handle));
            self.out.push(description.flags);
            self.out.extend((description.fields.len() as u16).to_be_bytes());
            for (name, kind) in description.fields {
                self.out.push(kind.as_bytes()[0]);
                self.name(name);
                if kind.len() > 1 {
                    self.out.push(STRING);
                    self.name(kind);
                    self.handle();
                }
            }
            self.out.push(END);
            next = description.parent;
        }
        self.handle();
    }

    /// Writes a text, or null.
    pub(super) fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else {
            self.out.push(NULL);
            return;
        };
        let bytes = encode(text);
        match u16::try_from(bytes.len()) {
            Ok(length) => {
                self.out.push(STRING);
                self.out.extend(length.to_be_bytes());
            }
            Err(_) => {
                self.out.push(LONG_STRING);
                self.out.extend((bytes.len() as u64).to_be_bytes());
            }
        }
        self.out.extend(bytes);
        self.handle();
    }

    /// Writes the game up to its moves, which are followed by two more texts.
    pub(super) fn game(&mut self, texts: &[Option<&str>; 3], fen: &str) {
        self.object(&GAME);
        texts.iter().for_each(|text| self.text(*text));
        self.text(Some(fen));
    }

    /// Writes a move up to its children; `following` is their number.
    pub(super) fn begin_move(&mut self, chinese: &str, id: i32, following: usize) {
        self.object(&MOVE);
        self.number(0);
        self.text(Some(chinese));
        self.object(&INTEGER);
        self.number(id);
        self.object(&LIST);
        let following = i32::try_from(following).unwrap_or(i32::MAX);
        self.number(following);
        self.out.extend([BLOCK, 4]);
        self.number(following);
    }

    /// Writes the rest of a move, after its children.
    pub(super) fn end_move(&mut self, mv: &str, comment: &str) {
        self.out.push(END);
        self.text(Some(mv));
        self.text(Some(comment).filter(|comment| !comment.is_empty()));
        self.out.push(NULL);
    }
}
