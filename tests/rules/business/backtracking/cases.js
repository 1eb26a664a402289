const FLOAT = /^\s*-?(\d*\.?\d+|\d+\.?\d*)(e[-+]?\d+)?\s*$/i; // expect: javascript-backtracking
const NESTED = /^(a+)+$/; // expect: javascript-backtracking
const NAMED = /^(?<key>.*)=(?<value>.*);$/; // expect: javascript-backtracking
const MADE = new RegExp("^[a-z]*[a-z0-9]*x$"); // expect: javascript-backtracking
const APART = /^(?<key>[^=]*)=(?<value>[^;]*);$/; // ok: javascript-backtracking
const PLAIN = /^\d+\.\d+$/; // ok: javascript-backtracking
const WORDS = new RegExp("^[a-z]+,[a-z]+$"); // ok: javascript-backtracking

module.exports = { FLOAT, NESTED, NAMED, MADE, APART, PLAIN, WORDS };
