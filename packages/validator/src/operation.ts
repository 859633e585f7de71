import {
  type Cursor,
  findChild,
  followReferences,
  listChildren,
  listItems,
  readKeyword,
} from './cursor.ts'
import { METHODS } from './document.ts'
import { type Parameter, readParameter, readParameters } from './parameters.ts'
import type { Check, SchemaContext } from './schema.ts'

/**
 * An operation of the contract: of a path or of a webhook. The validator finds its compiled
 * form by it. The row of the table with the same pointer says the rest.
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

/** An operation with the checks of its messages: the schemas of its parameters, request body and responses. */
export interface CompiledOperation {
  readonly root: Cursor
  readonly operation: Operation
  readonly cursor: Cursor
  readonly parameters: readonly Parameter[]
  readonly request: Body | undefined
  /** By status, range of statuses (`2XX`) or `default`. */
  readonly responses: ReadonlyMap<string, Response>
}

/** The body and the headers of a response. */
interface Response extends Body {
  readonly headers: readonly Parameter[]
}

/** A request or response body. */
export interface Body {
  readonly cursor: Cursor
  /** The declared media types; undefined if none are declared. */
  readonly content: Content | undefined
}

/** The media types of a body with their schemas. */
export interface Content {
  readonly cursor: Cursor
  readonly medias: readonly Media[]
}

interface Media {
  /** Such as `application/json`, in lower case and without parameters. */
  readonly type: string
  /** Undefined if any body of this type is valid. */
  readonly schema: { readonly cursor: Cursor; readonly check: Check } | undefined
}

/** An operation that is compiled on first use. */
export interface LazyOperation {
  readonly operation: Operation
  readonly compile: () => CompiledOperation
}

/**
 * The operations of `paths` or `webhooks`, in the order of the document, each with the function that
 * compiles it. That happens on first use, since most processes need a few operations.
 */
export function listOperations(
  context: SchemaContext,
  keyword: 'paths' | 'webhooks',
): LazyOperation[] {
  const operations: LazyOperation[] = []
  const pathItems = withoutExtensions(listChildren(findChild(context.root, keyword)))
  for (const [path, pathItem] of pathItems) {
    const item = followReferences(context.root, pathItem)
    for (const [method, cursor] of listChildren(item)) {
      const isOperation = METHODS.includes(method)
      if (isOperation) operations.push(createLazyOperation(context, { path, item, method, cursor }))
    }
  }
  return operations
}

function withoutExtensions(entries: readonly [string, Cursor][]): [string, Cursor][] {
  return entries.filter(([name]) => !name.startsWith('x-'))
}

/** An operation in the document, with the path item that contains it. */
interface DeclaredOperation {
  readonly path: string
  readonly item: Cursor
  readonly method: string
  readonly cursor: Cursor
}

/** An operation, and the function that compiles it, once. */
function createLazyOperation(context: SchemaContext, declared: DeclaredOperation): LazyOperation {
  const { path, method, cursor } = declared
  const id = readKeyword(cursor, 'operationId')
  const operation: Operation = {
    id: typeof id === 'string' ? id : undefined,
    method: method.toUpperCase(),
    path,
    pointer: cursor.pointer,
  }

  let compiled: CompiledOperation | undefined
  return {
    operation,
    compile: () => {
      compiled ??= compileOperation(context, operation, declared)
      return compiled
    },
  }
}

/**
 * Compiles what the messages of an operation are compared with: its parameters, request body and
 * responses.
 */
function compileOperation(
  context: SchemaContext,
  operation: Operation,
  { item, cursor }: DeclaredOperation,
): CompiledOperation {
  // Those of the operation come last, since they override those of its path.
  const parameters = [...listItems(item, 'parameters'), ...listItems(cursor, 'parameters')]
  const request = findChild(cursor, 'requestBody')
  return {
    root: context.root,
    operation,
    cursor,
    parameters: readParameters(context, parameters),
    request: request && readBody(context, request),
    responses: readResponses(context, cursor),
  }
}

/** The responses of an operation by status, range of statuses or `default`. */
function readResponses(context: SchemaContext, operation: Cursor): Map<string, Response> {
  const responses = new Map<string, Response>()
  const declared = withoutExtensions(listChildren(findChild(operation, 'responses')))
  for (const [status, response] of declared) responses.set(status, readResponse(context, response))
  return responses
}

/** Reads a response: its body and its headers. */
function readResponse(context: SchemaContext, response: Cursor): Response {
  const body = readBody(context, response)
  const headers = listChildren(findChild(body.cursor, 'headers')).map(([name, header]) =>
    readParameter(context, name, 'header', followReferences(context.root, header)),
  )
  return { ...body, headers }
}

/** Reads the body of a request or of a response. */
function readBody(context: SchemaContext, reference: Cursor): Body {
  const cursor = followReferences(context.root, reference)
  const content = findChild(cursor, 'content')
  if (!content) return { cursor, content: undefined }
  return { cursor, content: { cursor: content, medias: readMedias(context, content) } }
}

/** The media types of a body, such as `application/json`, each with the check of its schema. */
function readMedias({ checks }: SchemaContext, content: Cursor): Media[] {
  return listChildren(content).map(([type, media]) => {
    const cursor = findChild(media, 'schema')
    return { type: mediaTypeEssence(type), schema: cursor && { cursor, check: checks(cursor) } }
  })
}

/** The media type without its parameters (RFC 9110, section 8.3.1). */
export function mediaTypeEssence(type: string): string {
  const [essence = ''] = type.split(';', 1)
  return essence.trim().toLowerCase()
}
