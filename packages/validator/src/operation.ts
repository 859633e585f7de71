import { type Content, contentOf } from './content.ts'
import { type Cursor, child, children, keywordOf } from './cursor.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { follow } from './reference.ts'
import type { Check, SchemaContext } from './schema.ts'
import { METHODS } from './sites.ts'

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
  readonly operation: Operation
  readonly at: Cursor
  readonly parameters: readonly Parameter[]
  readonly request: Body | undefined
  /** By status, range of statuses (`2XX`) or `default`. */
  readonly responses: ReadonlyMap<string, ResponsePlan>
}

/** A request body. */
export interface Body {
  readonly at: Cursor
  readonly required: boolean
  readonly content: Content | undefined
}

/** The checks of the responses with a status. */
export interface ResponsePlan {
  readonly at: Cursor
  readonly headers: readonly Parameter[]
  readonly content: Content | undefined
}

/** An operation with a plan that is created on first use. */
export interface Planned {
  readonly operation: Operation
  readonly plan: () => Plan
}

/** The operations of `paths` or of `webhooks`, in the order of the document. */
export function operationsOf(context: SchemaContext, keyword: 'paths' | 'webhooks'): Planned[] {
  const { root } = context
  const isPath = ([path]: [string, Cursor]) => keyword === 'webhooks' || !path.startsWith('x-')
  const paths = children(child(root, keyword)).filter(isPath)
  return paths.flatMap(([path, it]) => {
    const item = follow(root, it)
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
  const responses = children(child(at, 'responses')).filter(([status]) => !status.startsWith('x-'))
  return {
    operation,
    at,
    parameters: parametersOf(context, [...listed(context.root, item), ...listed(context.root, at)]),
    request: bodyOf(context, child(at, 'requestBody')),
    responses: new Map(responses.map(([status, it]) => [status, responsePlanOf(context, it)])),
  }
}

/** The checks of every schema of a plan. */
export function checksOf({ parameters, request, responses }: Plan): Check[] {
  const responsePlans = [...responses.values()]
  const contents = [request?.content, ...responsePlans.map(({ content }) => content)]
  const all = [
    ...[...parameters, ...responsePlans.flatMap(({ headers }) => headers)].map(({ check }) => check),
    ...contents.flatMap((content) => content?.medias.map(({ check }) => check) ?? []),
  ]
  return all.filter((check) => check !== undefined)
}

function listed(root: Cursor, at: Cursor): Cursor[] {
  return children(child(at, 'parameters')).map(([, it]) => follow(root, it))
}

function bodyOf(context: SchemaContext, at: Cursor | undefined): Body | undefined {
  if (!at) return undefined
  const body = follow(context.root, at)
  const required = keywordOf(body, 'required') === true
  return { at: body, required, content: contentOf(context, child(body, 'content')) }
}

function responsePlanOf(context: SchemaContext, at: Cursor): ResponsePlan {
  const response = follow(context.root, at)
  const headers = children(child(response, 'headers')).map(([name, it]) => ({
    name,
    in: 'header',
    at: follow(context.root, it),
  }))
  return {
    at: response,
    headers: parametersOf(context, [], headers),
    content: contentOf(context, child(response, 'content')),
  }
}
