import { isUtf8 } from 'node:buffer'
import { gunzipSync } from 'node:zlib'
import type { ReadBody } from '../contract/bodies.ts'
import { fieldsOf } from '../contract/json.ts'
import { removeCodings } from '../send/transport.ts'
import type { Decompress } from './decompression.ts'

/** Reads a file beside the recording, by the name that an entry has; undefined if it may not. */
export type ReadAttachment = (name: string) => Uint8Array | undefined

/** What the bodies of a recording are read with. */
export interface BodyTools {
  readonly readAttachment: ReadAttachment
  readonly decompress: Decompress
  readonly readJson: ReadBody
}

/** A body as it was on its way. */
export interface RecordedBody {
  readonly text: string
  readonly hasInvalidUtf8?: true
}

/** What a recorder wrote of a body, and what the message says of it. */
interface RecordedContent {
  /** The `content` of a response, or the `postData` of a request. */
  readonly content: unknown
  readonly mimeType: string
  readonly contentEncoding: string | undefined
  /** Bytes of the body, as far as the recorder or the message names them. */
  readonly sizes: readonly number[]
}

interface Recording extends RecordedContent {
  readonly decompress: Decompress
  readonly readJson: ReadBody
}

/**
 * Reads the body of a message in a recording: a text, or a file beside the recording. Undefined if it is
 * empty, if the recorder dropped it, or if it cannot be decoded.
 */
export function readBody(
  recorded: RecordedContent,
  { readAttachment, decompress, readJson }: BodyTools,
): RecordedBody | undefined {
  const recording: Recording = { ...recorded, decompress, readJson }
  const { text, encoding, _file: fileName } = fieldsOf(recorded.content)
  // Some recorders write JSON as it is, and not as a text.
  const isPlainJson = typeof text === 'object' && text !== null
  if (isPlainJson) return { text: JSON.stringify(text) }

  const hasText = typeof text === 'string' && text !== ''
  if (hasText) return decodeText(text, { ...recording, isBase64: encoding === 'base64' })

  if (typeof fileName !== 'string') return undefined
  const bytes = readAttachment(fileName)
  return bytes === undefined ? undefined : decodeBytes(bytes, recording)
}

/**
 * Reads a body that was recorded as a text. The text may be the body itself, base64 of it, or compressed
 * bytes read as characters; recorders do not always say which. Undefined if it cannot be decoded, or was
 * cut off. The first reading that gives JSON is the right one, since the service sends JSON.
 */
function decodeText(
  text: string,
  recording: Recording & { readonly isBase64: boolean },
): RecordedBody | undefined {
  // A text that is JSON is the body itself, even where a recorder says that it is base64.
  if (isJsonText(text, recording)) return repairLatin1(text, recording.sizes)
  if (recording.isBase64) return decodeBase64(text, recording)

  // The text should be JSON, and is not as it stands.
  if (isJsonType(recording.mimeType)) {
    const hiddenJson = findHiddenJson(text, recording)
    if (hiddenJson) return hiddenJson
    if (isCutOff(text, recording.sizes)) return undefined
  }
  return isGarbled(text) ? undefined : { text }
}

/** Whether a text has none of the sizes that its body must have. */
function isCutOff(text: string, sizes: readonly number[]): boolean {
  return sizes.length > 0 && !sizes.includes(Buffer.byteLength(text))
}

/** Reads a body that was recorded as base64. Undefined if the text is none. */
function decodeBase64(text: string, recording: Recording): RecordedBody | undefined {
  if (!isBase64Text(text)) return undefined
  return decodeBytes(Buffer.from(text, 'base64'), recording)
}

/**
 * Finds the JSON in a text that should be JSON and is none, by undoing what recorders do to bodies without
 * saying so: they write its compressed bytes as characters, or in base64, as `eyJpZCI6…` for `{"id":…`. Undefined if
 * there is none.
 */
function findHiddenJson(text: string, recording: Recording): RecordedBody | undefined {
  const inflated = inflateJson(Buffer.from(text, 'latin1'), recording)
  if (inflated !== undefined) return { text: inflated }

  const fromBase64 = decodeBase64(text, recording)
  return fromBase64 && isJsonText(fromBase64.text, recording) ? fromBase64 : undefined
}

/**
 * Reads the text in the bytes of a body, which may be compressed. Undefined if the bytes should be
 * compressed JSON and are not.
 */
function decodeBytes(bytes: Uint8Array, recording: Recording): RecordedBody | undefined {
  const text = Buffer.from(bytes).toString()
  const plainBody: RecordedBody = isUtf8(bytes) ? { text } : { text, hasInvalidUtf8: true }
  if (isJsonText(text, recording)) return plainBody

  const mayBeCompressed = recording.contentEncoding !== undefined || isGzip(bytes)
  if (!mayBeCompressed) return plainBody

  const inflated = inflateJson(bytes, recording)
  if (inflated !== undefined) return { text: inflated }
  return isJsonType(recording.mimeType) ? undefined : plainBody
}

/**
 * Decompresses bytes, and returns the text if it is JSON. Undefined if they are not compressed, hold
 * something else, or are too many.
 */
function inflateJson(
  bytes: Uint8Array,
  recording: Pick<Recording, 'contentEncoding' | 'decompress' | 'readJson'>,
): string | undefined {
  const { contentEncoding, decompress } = recording
  if (contentEncoding !== undefined) {
    const decoded = decompress(() => removeCodings(bytes, contentEncoding))
    const text = readJsonText(decoded, recording)
    if (text !== undefined) return text
  }

  // No header says so, or a wrong one, but the bytes begin as those of gzip.
  if (!isGzip(bytes)) return undefined
  const unzipped = decompress(() => gunzipSync(bytes, { maxOutputLength: MAX_UNZIPPED_BYTES }))
  return readJsonText(unzipped, recording)
}

/** Reads the text in bytes; undefined if there are none, or if it is no JSON. */
function readJsonText(
  bytes: Uint8Array | undefined,
  reading: Pick<Recording, 'readJson'>,
): string | undefined {
  if (bytes === undefined) return undefined
  const text = Buffer.from(bytes).toString()
  return isJsonText(text, reading) ? text : undefined
}

/** Bytes of a body that was packed by gzip. */
const MAX_UNZIPPED_BYTES = 20_000_000

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b
}

/**
 * Repairs a text that a recorder read as Latin-1 although it is UTF-8: `JoÃ£o` becomes `João`. Only if the size of
 * the body proves it: `João` has 5 bytes in UTF-8, and `JoÃ£o`, which may also be what was sent, has 7.
 */
function repairLatin1(text: string, sizes: readonly number[]): RecordedBody {
  const bytes = Buffer.from(text, 'latin1')
  const isLatin1 = bytes.toString('latin1') === text
  const canBeMisread = isLatin1 && isUtf8(bytes)
  if (!canBeMisread) return { text }

  const hasSizeOfBytes = sizes.includes(bytes.length)
  const hasSizeOfText = sizes.includes(Buffer.byteLength(text))
  const isMisread = hasSizeOfBytes && !hasSizeOfText
  return isMisread ? { text: bytes.toString() } : { text }
}

/** Whether a text is an object or an array of JSON. */
function isJsonText(text: string, { readJson }: Pick<Recording, 'readJson'>): boolean {
  return /^\s*[[{]/.test(text) && readJson(text).json !== undefined
}

function isJsonType(mimeType: string): boolean {
  return /[/+]json\b/i.test(mimeType)
}

/** Base64, in groups of four characters, or its alphabet for URLs. */
function isBase64Text(text: string): boolean {
  const packed = text.replaceAll(/\s/g, '')
  return packed.length >= 4 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(packed)
}

/**
 * Whether a text cannot be a body as it was sent: it has control characters, or `�`, which decoders put in
 * place of bytes that are no text.
 */
function isGarbled(text: string): boolean {
  for (const character of text) {
    if (character === '\uFFFD') return true
    const isControl = character < ' ' && !WHITE_SPACE.has(character)
    if (isControl) return true
  }
  return false
}

/** The control characters that a text may have. */
const WHITE_SPACE = new Set(['\t', '\n', '\r'])
