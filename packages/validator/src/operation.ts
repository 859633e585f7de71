import { type Content, contentOf } from './content.ts'
import { type Cursor, child, children, follow, keywordOf } from './cursor.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import type { Checks } from './schema.ts'

/**
 * An operation of the contract: of a path, or a webhook that the service calls.
 *
 * @example
 * const operation: Operation | undefined = createValidator().operations.find(({ id }) => id === 'createTransfer')
 * console.log(operation?.method, operation?.path) // POST /mobile-bff/v1/pix/out/
 */
export interface Operation {
  /** The `operationId`. */
  readonly id: string | undefined
  /** In capitals, as HTTP has it. */
  readonly method: string
  /** The template of the path, or the name of the webhook. */
  readonly path: string
  /** JSON pointer to the operation in the document. */
  readonly pointer: string
}

/** What the messages of an operation are checked by. */
export interface Plan {
  readonly operation: Operation
  readonly at: Cursor
  readonly parameters: readonly Parameter[]
  readonly request: Body | undefined
  /** By status, range of statuses (`2XX`) or `default`. */
  readonly responses: ReadonlyMap<string, Answer>
}

/** A request body. */
export interface Body {
  readonly at: Cursor
  readonly required: boolean
  readonly content: Content | undefined
}

/** What an operation answers with a status. */
export interface Answer {
  readonly at: Cursor
  readonly headers: readonly Parameter[]
  readonly content: Content | undefined
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** The operations of `paths` or of `webhooks`, in the order of the document. */
export function plansOf(root: Cursor, member: 'paths' | 'webhooks', checks: Checks): Plan[] {
  return children(child(root, member)).flatMap(([path, at]) => {
    const item = follow(root, at)
    const methods = children(item).filter(([method]) => METHODS.includes(method))
    return methods.map(([method, operation]) =>
      planOf({ root, checks }, { path, item, method, at: operation }),
    )
  })
}

interface Raw {
  readonly path: string
  readonly item: Cursor
  readonly method: string
  readonly at: Cursor
}

/** What the parts of a plan are made with. */
export interface Making {
  readonly root: Cursor
  readonly checks: Checks
}

function planOf(making: Making, { path, item, method, at }: Raw): Plan {
  const id = keywordOf(at, 'operationId')
  const responses = children(child(at, 'responses')).map(
    ([status, it]) => [status, answerOf(making, it)] as const,
  )
  return {
    operation: {
      id: typeof id === 'string' ? id : undefined,
      method: method.toUpperCase(),
      path,
      pointer: at.pointer,
    },
    at,
    parameters: parametersOf(making, [...listed(making.root, item), ...listed(making.root, at)]),
    request: bodyOf(making, child(at, 'requestBody')),
    responses: new Map(responses),
  }
}

function listed(root: Cursor, at: Cursor): Cursor[] {
  return children(child(at, 'parameters')).map(([, it]) => follow(root, it))
}

function bodyOf(making: Making, at: Cursor | undefined): Body | undefined {
  if (!at) return undefined
  const body = follow(making.root, at)
  const required = keywordOf(body, 'required') === true
  return { at: body, required, content: contentOf(making, child(body, 'content')) }
}

function answerOf(making: Making, at: Cursor): Answer {
  const response = follow(making.root, at)
  const headers = children(child(response, 'headers')).map(([name, it]) => ({
    name,
    in: 'header',
    at: follow(making.root, it),
  }))
  return {
    at: response,
    headers: parametersOf(making, [], headers),
    content: contentOf(making, child(response, 'content')),
  }
}
