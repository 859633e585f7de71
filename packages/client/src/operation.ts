import { aliases, operations } from './generated/operations.ts'

/**
 * An operation of the contract, as the engine needs it: the part of its row of the table that is
 * sent to browsers.
 */
export interface Operation {
  readonly operationId: string
  readonly method: string
  /** Whether the request may be sent twice: `x-effect` of the contract (assumption `effects`). */
  readonly effect: 'read' | 'idempotent' | 'once'
  /** The status of a success; 204 has no body. */
  readonly status: number
  /** The input of a call besides the path parameters. */
  readonly takes?: 'body' | 'query'
  /** With its parameters in braces. */
  readonly path: string
  /** Whether it lists records page by page. */
  readonly isPaged?: boolean
  /** True if a later version of the contract removes it. */
  readonly isDeprecated?: boolean
  /** Where a success repeats a value of the request, from `x-echoes`: JSON pointers into both. */
  readonly echoes?: readonly (readonly [sent: string, shown: string])[]
  /** JSON pointers at which a success shows the status of the payment, the same one at each. */
  readonly statuses?: readonly string[]
  /**
   * JSON pointers of the fields without which a response is no success, from `x-essential`, with
   * the type of each.
   */
  readonly essential?: Readonly<Record<string, EssentialType>>
  /** JSON pointers of the amounts in the body of a request. */
  readonly amounts?: readonly string[]
  /** Whether a success may have no body, since the document does not show it and nobody needs it. */
  readonly mayBeEmpty?: boolean
}

/** The JSON types of essential fields. */
export type EssentialType = 'string' | 'boolean' | 'array'

/** What an error names: the operation, and where its request went. */
export interface Named extends Pick<Operation, 'operationId'> {
  readonly method?: string
  /** The base URL with the path of the contract, whose parameters are personal. */
  readonly endpoint?: string
}

/** Whether an operation moves money. */
export function isPayment({ operationId }: Pick<Operation, 'operationId'>): boolean {
  return operationId === 'createTransfer' || operationId === 'guideCreateTransfer'
}

/** What logs say of an operation: `isDeprecated` only if it is. */
export type Described = Pick<
  Operation,
  'operationId' | 'effect' | 'method' | 'path' | 'isDeprecated'
>

export function describeOperation(operation: Described): Described {
  const { operationId, effect, method, path, isDeprecated } = operation
  const described = { operationId, effect, method, path }
  return isDeprecated ? { ...described, isDeprecated } : described
}

/** One request of a call. */
export interface SentRequest extends Operation {
  readonly url: string
  /** The base URL with the path of the contract, whose parameters are personal. */
  readonly endpoint: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The value of the body, as the service reads it. */
  readonly input: unknown
  /** 1 for the first attempt, 2 for the next, whatever the reason for sending again. */
  readonly number: number
}

/**
 * Bytes of a body: `Uint8Array<ArrayBuffer>` from TypeScript 5.7 on, before which `Uint8Array` has no
 * type argument.
 */
export type Bytes = ReturnType<InstanceType<typeof TextEncoder>['encode']>

/** A body that was read completely. */
export interface ReadBody {
  readonly text: string
  /** As they were received; absent where the runtime has no stream of the body. */
  readonly bytes?: Bytes
}

/** A response of any status, read completely. */
export interface ReadResponse extends ReadBody {
  /** As `fetch` returned it; its body is already read. */
  readonly response: Response
  /** The parsed JSON body; `undefined` if the body is empty or not JSON. */
  readonly data: unknown
}

/** The type of a body in the types of the contract; `undefined` without a body. */
export type ContentOf<Body> = Body extends { content: infer Content }
  ? Content[keyof Content]
  : undefined

/** All operations in the order of the contract, then the short paths of its guide. */
export function allOperations(): Operation[] {
  const resources = Object.values(operations)
  const ofContract = resources.flatMap((rows) => Object.values<Operation>(rows))
  return [...ofContract, ...aliases]
}
