import { createClient, type ErrorKind, PaymentsError } from '@partner-payments/client'
import { deprecationText, isObject, type Operation } from '@partner-payments/contract'
import { type Control, readSandboxConnection } from '../control.ts'
import { CliError, findRefusal, ServiceError } from '../errors.ts'
import type { SandboxFlags } from '../tables.ts'
import { operations, withoutRefs } from './contract.ts'
import { type Arguments, type InputSchema, markAsData, type Tool } from './tool.ts'

type Send = (method: string, path: string, init: object) => Promise<Sent>

interface Sent {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

const PAYS =
  'It pays: it moves money of the sandbox, from an account of the seed data. No real money moves.'
/** A cancelled call gets no result (Model Context Protocol, cancellation), although it may have paid. */
const ONCE =
  'If a result says that it may have been carried out, or there is no result because the call was cancelled or took too long, find out before you call it again.'

/**
 * The tools that call the operations, one for each but those that sign in: the client signs in by
 * itself. Each call asks first whether the service still is a sandbox.
 */
export function operationTools(
  flags: SandboxFlags,
  control: Pick<Control, 'requireSandbox'>,
): [name: string, tool: Tool][] {
  const client = createClient(readSandboxConnection(flags, control))
  // The types of a call depend on its path, which is only known when an agent calls.
  const request = client.request as unknown as Send
  const send: Send = async (method, path, init) => {
    await control.requireSandbox()
    return request(method, path, init)
  }
  const operationsWithToken = operations.filter(({ tag }) => tag !== 'auth')
  return operationsWithToken.map((operation) => [operation.id, createTool(operation, send)])
}

/**
 * The tool with which an agent calls an operation. Its annotations say whether a call reads only,
 * can be repeated, or moves money.
 */
function createTool(operation: Operation, send: Send): Tool {
  // `read`, `idempotent` if a repetition changes nothing more, or `once`, as of a payment.
  const { effect } = operation
  return {
    description: writeDescription(operation),
    inputSchema: createInputSchema(operation),
    annotations: {
      readOnlyHint: effect === 'read',
      idempotentHint: effect !== 'once',
      destructiveHint: movesMoney(operation) || operation.method === 'DELETE',
    },
    call: (args, signal) => callOperation(operation, send, args, signal),
  }
}

/**
 * The description of a tool, which an agent reads before it chooses one: what the operation does,
 * and whether it pays.
 */
export function writeDescription(operation: Operation): string {
  const { summary, description, effect, deprecation } = operation
  const paragraphs = [`${summary}.`]
  if (deprecation) paragraphs.push(deprecationText(deprecation))
  if (movesMoney(operation)) paragraphs.push(PAYS)
  if (effect === 'once') paragraphs.push(ONCE)
  paragraphs.push(description)
  return paragraphs.join('\n\n')
}

/** Whether it acts on transfers, and may not be sent twice. */
function movesMoney({ resource, effect }: Operation): boolean {
  return resource === 'transfer' && effect === 'once'
}

/**
 * The JSON Schema of the arguments of a tool: the parameters of the operation by their names, and
 * `body`.
 */
function createInputSchema({ parameters, request }: Operation): InputSchema {
  const properties: Record<string, object> = {}
  const required: string[] = []
  for (const { name, description, node, isRequired } of parameters) {
    properties[name] = { ...withoutRefs(node.schema ?? {}), description }
    if (isRequired) required.push(name)
  }
  if (request) {
    properties.body = withoutRefs(request.schema)
    required.push('body')
  }
  return { type: 'object', properties, required }
}

/**
 * Calls an operation with the arguments of a tool, and returns the response as text. Throws a
 * CliError with the text of an error response.
 */
async function callOperation(
  operation: Operation,
  send: Send,
  { body, ...args }: Arguments,
  signal: AbortSignal,
): Promise<string> {
  const { method, path } = operation
  const params = {
    path: selectArguments('path', operation, args),
    query: selectArguments('query', operation, args),
  }
  const { data, error, response } = await sendOrExplain(operation, () =>
    send(method.toLowerCase(), path, { params, body, signal }),
  )
  if (response.ok) return writeText(response, data)

  const isBodyMissing = operation.request !== undefined && body === undefined
  const explainedError = isBodyMissing ? withPlaceOfBody(error) : error
  throw new CliError(writeText(response, explainedError))
}

/** Sends a request. An error of the client becomes a CliError, whose message an agent sees. */
async function sendOrExplain(
  operation: Operation,
  sendRequest: () => Promise<Sent>,
): Promise<Sent> {
  try {
    return await sendRequest()
  } catch (error) {
    throw error instanceof PaymentsError ? explainError(operation, error) : error
  }
}

/**
 * The error that an agent sees in place of one of the client. It says in our words what happened,
 * such as `createTransfer: got no response in time`: the agent must not take a text of the service
 * for an instruction.
 */
function explainError({ id }: Operation, error: PaymentsError): CliError {
  const refusal = findRefusal(error)
  if (refusal) return refusal

  const isAboutArguments = error.kind === 'config'
  // Such a message quotes no response, so the agent may read it.
  if (isAboutArguments) return new CliError(error.message, { cause: error })

  const summary = `${id}: ${SUMMARIES[error.kind] ?? 'failed'}`
  return new ServiceError(summary, error.message, { cause: error })
}

/** What happened, in words of our own: the messages of the client quote the service. */
const SUMMARIES: Readonly<Partial<Record<ErrorKind, string>>> = {
  outcome_unknown: 'may have been carried out, check before you retry',
  connection: 'was not sent, or its response did not arrive',
  timeout: 'got no response in time',
  http: 'got an error response',
  decode: 'got a response that cannot be read',
}

function writeText({ status }: Response, body: unknown): string {
  return `${status} ${markAsData(JSON.stringify(body ?? null))}`
}

/**
 * An error response that also says where the body belongs in the call of a tool, if it is missing.
 * Each of its `errors` is like `{ pointer: '', code: 'required', detail: '…' }`.
 */
function withPlaceOfBody(problem: unknown): unknown {
  if (!isObject(problem) || !Array.isArray(problem.errors)) return problem

  const errors = problem.errors.map((error: unknown) => {
    if (!isObject(error) || !isOfMissingBody(error)) return error
    return { ...error, detail: `${error.detail} Send it as the argument \`body\`.` }
  })
  return { ...problem, errors }
}

/** A field that is missing has a pointer; the whole body has an empty one. */
function isOfMissingBody({ code, pointer }: Readonly<Record<string, unknown>>): boolean {
  return code === 'required' && pointer === ''
}

/** The arguments for the parameters in one place: the path or the query. */
function selectArguments(place: string, { parameters }: Operation, args: Arguments): object {
  const inPlace = parameters.filter((parameter) => parameter.in === place)
  return Object.fromEntries(inPlace.map(({ name }) => [name, args[name]]))
}
