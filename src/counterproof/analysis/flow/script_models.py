"""What known functions of JavaScript do to data: pass it on or return something else altogether.

Always holds: only what the language, Node.js and widely used packages document. Does not belong here: sanitisers of a rule.
"""

from counterproof.analysis.flow.words import words

HARMLESS = words("""
isNaN isFinite Date Symbol Math.abs Math.floor Math.ceil Math.round Math.random Math.max Math.min Date.now Array.isArray
Object.is crypto.createHash crypto.createHmac crypto.randomBytes crypto.randomUUID crypto.timingSafeEqual
fs.existsSync fs.statSync fs.lstatSync fs.accessSync fs.stat fs.lstat fs.access fs.exists
setTimeout setInterval setImmediate clearTimeout clearInterval process.cwd process.exit process.nextTick process.hrtime
process.uptime os.platform os.tmpdir os.homedir os.hostname console.log console.error console.warn console.info console.debug
uuid.v4 nanoid.nanoid mongoose.Types.ObjectId mime.lookup mime.getType mime-types.lookup mime-types.contentType bcrypt.hash
bcrypt.compare bcryptjs.hash bcryptjs.compare
""")
"""Results that no outsider can shape, whatever goes in."""

PASSING = words("""
Object.assign Object.entries Object.values Object.keys Object.freeze Object.create Object.fromEntries Array.from Array.of Array
JSON.parse JSON.stringify Buffer Buffer.from Buffer.concat decodeURIComponent decodeURI encodeURIComponent encodeURI escape
unescape URL URLSearchParams Promise.resolve Promise.all Promise.race structuredClone atob btoa
path.join path.resolve path.normalize path.dirname path.basename path.extname path.relative path.parse path.format
path.posix.join path.posix.normalize path.posix.resolve url.parse url.resolve url.format url.URL url.fileURLToPath
querystring.parse querystring.unescape querystring.escape querystring.stringify qs.parse qs.stringify
util.format util.inspect lodash.clone lodash.cloneDeep lodash.pick lodash.omit lodash.get lodash.extend lodash.assign lodash.merge
lodash.defaults lodash.trim lodash.escape lodash.toString underscore.extend underscore.defaults underscore.pick underscore.escape
object-assign extend xtend deepmerge parseurl parseurl.original sanitize-filename validator.escape he.encode he.escape
escape-html html-escaper.escape dompurify.sanitize sanitize-html xss shell-quote.quote shell-escape sqlstring.escape mysql.escape
mysql2.escape pg-format
""")
"""Results that carry whatever went in."""

NORMALISING = words(
    "path.join path.resolve path.normalize path.posix.join path.posix.normalize path.posix.resolve fs.realpathSync"
)
"""Calls whose result has no `..` left to climb with, so that its beginning can be compared."""

WORD_QUESTIONS = words("""
validator.isInt validator.isNumeric validator.isFloat validator.isDecimal validator.isAlpha validator.isAlphanumeric
validator.isUUID validator.isHexadecimal validator.isMongoId validator.isHash validator.isMD5 validator.isBoolean
validator.isPort validator.isISO8601 validator.isSlug uuid.validate mongoose.isValidObjectId
mongoose.Types.ObjectId.isValid mongoose.mongo.ObjectId.isValid mongodb.ObjectId.isValid
""")
"""Questions whose answer yes leaves letters, digits and a few harmless signs."""

COLLECTION = "mongodb.Collection()"
"""A collection of documents, whoever gave it."""


def made_by(path: str, method: str) -> str:
    """The name of what a call outside the project returns."""
    if method == "collection" and (not path or path.startswith(("mongodb", "mongoose", "monk"))):
        return COLLECTION
    return f"{path}()" if path else ""
