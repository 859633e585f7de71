import type { Json } from '../json/json.ts'
import type { TokenKind } from './behaviour.ts'
import type { Deprecation } from './deprecation.ts'

/** A message of the contract: what an operation and an event have in common. */
export interface Declared {
  /** The operationId. */
  readonly id: string
  /** The word of its resource, such as `qrcodes`. */
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Undefined unless a later version of the contract removes it. */
  readonly deprecation: Deprecation | undefined
  /** In upper case. */
  readonly method: string
  /** With its parameters in braces; the name of an event. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Undefined if it takes no body. */
  readonly request: Body | undefined
  /** The declared responses, in their order. */
  readonly responses: readonly Response[]
  /** The document that declares it: the contract, or that of the short paths. */
  readonly document: Json
  /** The JSON pointer of `node` in the document. */
  readonly pointer: string
  /** The operation as the document has it, for readers of its prose. */
  readonly node: Json
  /** The path item around `node`. */
  readonly item: Json
}

/** An operation of the contract, or a short path that means the same: one row of the table. */
export interface Operation extends Declared {
  /** The operation whose path this one shortens. */
  readonly aliasOf: string | undefined
  /** The records that it acts on, by their name in spec/behaviour, such as `immediateQrCode`. */
  readonly resource: string | undefined
  /** What it does, from spec/behaviour, such as `create`. The operationId if nothing is declared. */
  readonly role: string
  /** What a program calls it beside its tag, such as `createImmediate`. */
  readonly name: string
  /** Later operations that take values of this one, as the links of its success say. */
  readonly links: readonly Link[]
  /** Earlier operations that show values which this one sends. */
  readonly origins: readonly Origin[]
  /** Where a success shows its record, or its records. Undefined if it shows none. */
  readonly record: RecordPlace | undefined
  /** Whether it may be sent twice. */
  readonly effect: 'read' | 'idempotent' | 'once'
  /** The credentials that it takes. */
  readonly scheme: 'basic' | 'bearer'
  /** Whose tokens it takes. Empty if it takes none. */
  readonly tokens: readonly TokenKind[]
  /** The status of a success. */
  readonly status: number
  /** The response with that status. */
  readonly success: Response
  /** Whether its list has several pages. */
  readonly isPaged: boolean
  /** Request expressions, and those of the response that repeat them. */
  readonly echoes: Readonly<Record<string, string>>
  /** JSON pointers of the fields without which a response is no success. */
  readonly essential: readonly string[]
  /** JSON pointers of up to two fields that a short program prints: of the response, or of an item. */
  readonly printed: readonly string[]
}

/** A row before the other rows are known, which show values that it sends. */
export type OperationWithoutOrigins = Omit<Operation, 'origins'>

/** A declared parameter, without a reference. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly isRequired: boolean
  readonly description: string
  readonly schema: Json
  readonly example: unknown
  /** As the document has it, behind its reference. */
  readonly node: Json
}

/** A body of JSON. */
export interface Body {
  /** The name of its schema, if it refers to a component. */
  readonly name: string | undefined
  /** The schema as the document has it, which may be a reference. */
  readonly schema: Json
  readonly examples: readonly Example[]
}

/** An example, without a reference. */
export interface Example {
  readonly name: string
  readonly summary: string | undefined
  readonly value: unknown
}

/** A declared response. */
export interface Response {
  /** A number, or a range such as `2XX`. */
  readonly status: string
  /** Undefined if it has no body. */
  readonly body: Body | undefined
  /** The error codes in its examples. */
  readonly codes: readonly string[]
  /** As the document has it, behind its reference. */
  readonly node: Json
}

/** A later operation, and the values that it takes. */
export interface Link {
  /** The id of the later operation. */
  readonly to: string
  /** By parameter or field of the body: a runtime expression, or a constant. */
  readonly values: Readonly<Record<string, string>>
}

/** An earlier operation, and the values that a later one takes from it. */
export interface Origin {
  /** The id of the earlier operation. */
  readonly from: string
  readonly values: readonly OriginValue[]
  /** Whether a link of the contract says so; otherwise it follows from the resource. */
  readonly isLinked: boolean
}

/** A value that a later operation sends. */
export interface OriginValue {
  /** The parameter of the later operation, or the field of its body. */
  readonly name: string
  readonly in: 'path' | 'query' | 'body'
  /** The message of the earlier operation that has it. */
  readonly side: 'request' | 'response'
  /** Its JSON pointer there. */
  readonly pointer: string
}

/** Where a response shows records. */
export interface RecordPlace {
  /** The JSON pointer of the record, or of the array of records. Empty for the whole body. */
  readonly pointer: string
  readonly isList: boolean
  /** The JSON pointer of its id, in the record. */
  readonly id: string
}

/** An event of the contract, which the service delivers. `path` is its name. */
export interface Event extends Declared {
  /** Whose changes of state it reports. */
  readonly resources: readonly string[]
  /** The types of webhooks that receive it. */
  readonly subscribers: readonly string[]
}
