"""Names that every script may use without an import: those of the language, of browsers, of Node and of test runners.

Always: a name that is missing here makes a doubt, one too many only hides it; so patterns stand for whole families of the
browser's types.
"""

import re

_LANGUAGE = """
arguments undefined NaN Infinity globalThis this super eval isFinite isNaN parseFloat parseInt encodeURI encodeURIComponent
decodeURI decodeURIComponent escape unescape Object Function Boolean Symbol Number BigInt Math Date String RegExp Array Map
Set WeakMap WeakSet WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer Atomics DataView JSON Promise Reflect Proxy
Intl Iterator WebAssembly Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError Int8Array
Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array
BigUint64Array Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters
ReturnType InstanceType ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize NoInfer
Awaited PromiseLike ArrayLike Iterable IterableIterator IteratorResult AsyncIterable AsyncIterator AsyncIterableIterator
AsyncGenerator Generator GeneratorFunction AsyncGeneratorFunction AsyncFunction ReadonlyArray ReadonlyMap ReadonlySet
PropertyKey PropertyDescriptor TemplateStringsArray PromiseSettledResult PromiseFulfilledResult PromiseRejectedResult
PromiseConstructor ErrorOptions ClassDecorator MethodDecorator PropertyDecorator ParameterDecorator TypedPropertyDescriptor
JSX const any unknown never asserts is infer string number boolean object symbol bigint void ArrayBufferLike ArrayBufferView
Disposable AsyncDisposable SymbolConstructor DateConstructor CallableFunction NewableFunction RegExpMatchArray RegExpExecArray
"""
_BROWSER = """
window document navigator location history screen self top parent frames opener name event status origin performance crypto
caches localStorage sessionStorage indexedDB console alert confirm prompt print open close stop focus blur find scroll
scrollTo scrollBy moveTo resizeTo getComputedStyle getSelection matchMedia requestAnimationFrame cancelAnimationFrame
requestIdleCallback cancelIdleCallback setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate
queueMicrotask structuredClone btoa atob fetch postMessage addEventListener removeEventListener dispatchEvent
createImageBitmap reportError importScripts innerWidth innerHeight outerWidth outerHeight scrollX scrollY pageXOffset
pageYOffset devicePixelRatio visualViewport customElements speechSynthesis clients registration skipWaiting scheduler
cookieStore navigation trustedTypes external XMLHttpRequest FormData Headers Request Response URL URLSearchParams URLPattern
Blob File FileList FileReader FileSystem Image Option Audio Event EventTarget CustomEvent Node NodeList NodeFilter Element
Document DocumentFragment Window Location History Navigator Screen Storage Text Comment Attr Range Selection Worker
SharedWorker Notification Cache CacheStorage Crypto CryptoKey SubtleCrypto Plugin Touch TouchList Animation KeyframeEffect
Keyframe AbortController AbortSignal BroadcastChannel MessageChannel MessagePort MutationObserver MutationRecord
IntersectionObserver IntersectionObserverEntry ResizeObserver ResizeObserverEntry PerformanceObserver ReportingObserver
ReadableStream WritableStream TransformStream ReadableStreamDefaultReader TextEncoder TextDecoder TextEncoderStream
TextDecoderStream CompressionStream DecompressionStream ByteLengthQueuingStrategy CountQueuingStrategy WebSocket EventSource
Path2D OffscreenCanvas ImageData ImageBitmap CanvasRenderingContext2D CanvasGradient CanvasPattern TextMetrics XPathResult
XMLSerializer DOMException FontFace BlobPart BodyInit HeadersInit RequestInit RequestInfo ResponseInit EventListener
EventListenerOrEventListenerObject AddEventListenerOptions EventInit Body ScrollBehavior Transferable BufferSource
VisibilityState Geolocation GeolocationPosition GeolocationCoordinates PositionOptions Clipboard ClipboardItem
NotificationOptions NotificationPermission FrameRequestCallback TimerHandler IdleDeadline ShadowRoot StyleSheet StyleSheetList
ValidityState TreeWalker TimeRanges TextTrack TextTrackCue VTTCue Gamepad Lock LockManager BatteryManager WakeLock Credential
PublicKeyCredential PaymentRequest Sanitizer EyeDropper LaunchParams BinaryData BlobPropertyBag FilePropertyBag DataTransfer
DataTransferItem DragEvent AlgorithmIdentifier JsonWebKey KeyUsage ServiceWorkerGlobalScope ExtendableEvent FetchEvent
DedicatedWorkerGlobalScope WorkerGlobalScope Client Clients WindowClient chrome browser
"""
_NODE = """
process global Buffer require module exports __dirname __filename NodeJS BufferEncoding Bun Deno
"""
_TESTS = """
describe it test expect before after beforeEach afterEach beforeAll afterAll suite setup teardown vi jest jasmine spyOn cy
Cypress assert fail context specify xit xdescribe fit fdescribe bench onTestFinished
"""
_MACROS = """
defineProps defineEmits defineExpose defineOptions defineSlots defineModel withDefaults $state $derived $effect $props
$bindable $inspect $host Astro google gtag dataLayer
"""
GLOBALS = frozenset(" ".join((_LANGUAGE, _BROWSER, _NODE, _TESTS, _MACROS)).split())
_FAMILIES = re.compile(
    r"(?:HTML|SVG|CSS|DOM|IDB|RTC|GPU|XR|USB|MIDI|WebGL|Media|Audio|Performance|ServiceWorker|Push|Speech|Font|Canvas|Readable"
    r"|Writable|Transform|Abort|Message|Mutation|Intersection|Resize|Clipboard|FileSystem|Sensor|WebTransport|Video|Bluetooth"
    r"|Payment|Presentation|Storage|Crypto|Aes|Rsa|Ec|Hmac|Pbkdf2)[A-Z0-9]\w*"
    r"|\w+(?:Event|EventMap|EventInit|Element|TagNameMap|Observer|ObserverInit|Constructor)|on[a-z]{4,20}|_{1,2}\w+_{2}|_+"
)


def is_global(name: str) -> bool:
    """Whether a name may be there without anyone defining it."""
    return name in GLOBALS or _FAMILIES.fullmatch(name) is not None
