import { type Cursor, child, children, follow, keywordOf } from './cursor.ts'
import { METHODS } from './document.ts'
import { type Parameter, parameterOf, parametersOf } from './parameters.ts'
import type { Check, SchemaContext } from './schema.ts'

/**
 * An operation of the contract: of a path or of a webhook.
 *
 * @example
 * const operation: Operation | undefined = createValidator().operations.find(({ id }) => id === 'createTransfer')
 * console.log(operation?.method, operation?.path) // POST /mobile-bff/v1/pix/out/
 */
export interface Operation {
  /** The `operationId`. */
  readonly id: string | undefined
  /** In upper case. */
  readonly method: string
  /** The template of the path, or the name of the webhook. */
  readonly path: string
  /** JSON pointer to the operation in the document. */
  readonly pointer: string
}

/** The checks of an operation's messages. */
export interface Plan {
  readonly root: Cursor
  readonly operation: Operation
  readonly at: Cursor
  readonly parameters: readonly Parameter[]
  readonly request: Body | undefined
  /** By status, range of statuses (`2XX`) or `default`. */
  readonly responses: ReadonlyMap<string, Body & { readonly headers: readonly Parameter[] }>
}

/** A request or response body. */
export interface Body {
  readonly at: Cursor
  /** The declared media types; undefined if none are declared. */
  readonly content: Content | undefined
}

/** The media types of a body with their schemas. */
export interface Content {
  readonly at: Cursor
  readonly medias: readonly Media[]
}

interface Media {
  /** Such as `application/json`, in lower case and without parameters. */
  readonly type: string
  readonly schema: Cursor | undefined
  readonly check: Check | undefined
}

/** An operation with a plan that is created on first use. */
export interface Planned {
  readonly operation: Operation
  readonly plan: () => Plan
}

/** The operations of `paths` or of `webhooks`, in the order of the document. */
export function operationsOf(context: SchemaContext, keyword: 'paths' | 'webhooks'): Planned[] {
  const paths = children(child(context.root, keyword)).filter(([path]) => !path.startsWith('x-'))
  return paths.flatMap(([path, it]) => {
    const item = follow(context.root, it)
    const methods = children(item).filter(([method]) => METHODS.includes(method))
    return methods.map(([method, at]) => plannedOf(context, { path, item, method, at }))
  })
}

interface Raw {
  readonly path: string
  readonly item: Cursor
  readonly method: string
  readonly at: Cursor
}

function plannedOf(context: SchemaContext, raw: Raw): Planned {
  const { path, method, at } = raw
  const id = keywordOf(at, 'operationId')
  const named = { id: typeof id === 'string' ? id : undefined, method: method.toUpperCase() }
  const operation = { ...named, path, pointer: at.pointer }
  let plan: Plan | undefined
  return { operation, plan: () => (plan ??= planOf(context, operation, raw)) }
}

function planOf(context: SchemaContext, operation: Operation, { item, at }: Raw): Plan {
  const { root } = context
  const listed = [item, at].flatMap((it) =>
    children(child(it, 'parameters')).map(([, one]) => follow(root, one)),
  )
  const request = child(at, 'requestBody')
  const responses = children(child(at, 'responses')).filter(([status]) => !status.startsWith('x-'))
  return {
    root,
    operation,
    at,
    parameters: parametersOf(context, listed),
    request: request && bodyOf(context, request),
    responses: new Map(
      responses.map(([status, it]) => {
        const body = bodyOf(context, it)
        const headers = children(child(body.at, 'headers')).map(([name, one]) => {
          return parameterOf(context, name, 'header', follow(root, one))
        })
        return [status, { ...body, headers }]
      }),
    ),
  }
}

function bodyOf(context: SchemaContext, at: Cursor): Body {
  const body = follow(context.root, at)
  const content = child(body, 'content')
  return { at: body, content: content && { at: content, medias: mediasOf(context, content) } }
}

function mediasOf({ checks }: SchemaContext, content: Cursor): Media[] {
  return children(content).map(([type, media]) => {
    const schema = child(media, 'schema')
    return { type: essenceOf(type), schema, check: schema && checks(schema) }
  })
}

/** The media type without its parameters (RFC 9110, section 8.3.1). */
export function essenceOf(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}
