export { crc16 } from './crc16.ts'
export { type DecodeResult, decode, type Profile, tryDecode } from './decode.ts'
export { isCnpj, isCpf } from './documents.ts'
export { encode } from './encode.ts'
export type { EncodeOptions } from './encode-options.ts'
export { BrCodeError, type BrCodeErrorCode, type Issue } from './error.ts'
export { explain } from './explain.ts'
export type {
  BrCode,
  BrCodeFields,
  BrCodeKind,
  DynamicFields,
  RecurrenceFields,
  StaticFields,
} from './fields.ts'
export { type KeyKind, keyKind } from './keys.ts'
export type { BrObject } from './tlv.ts'
