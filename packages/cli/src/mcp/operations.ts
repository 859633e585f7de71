import { createClient, PaymentsError } from '@partner-payments/client'
import { CliError } from '../errors.ts'
import { connectionOf, type ServiceFlags } from '../service.ts'
import { type Operation, operations } from './contract.ts'
import type { Arguments, InputSchema, Tool } from './tool.ts'

type Send = (method: string, path: string, init: object) => Promise<Sent>

interface Sent {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

const PAYS =
  'It pays: it moves money of the sandbox, from an account of the seed data. No real money moves.'
const ONCE =
  'If a result says that it may have been carried out, find out before you call it again.'

/**
 * A tool for each operation of the contract but those that sign in: the client signs in by itself.
 */
export function operationTools(flags: ServiceFlags): [name: string, tool: Tool][] {
  // The types of a call depend on its path, which is only known when an agent calls.
  const send = createClient(connectionOf(flags)).request as unknown as Send
  return operations
    .filter(({ tags }) => !tags.includes('auth'))
    .map((it) => [it.operationId, toolOf(it, send)])
}

function toolOf(operation: Operation, send: Send): Tool {
  const { operationId, summary, description, 'x-effect': effect } = operation
  const notes = [
    ...(operationId === 'createTransfer' ? [PAYS] : []),
    ...(effect === 'once' ? [ONCE] : []),
  ]
  return {
    description: [`${summary}.`, ...notes, description].join('\n\n'),
    inputSchema: inputOf(operation),
    annotations: {
      readOnlyHint: effect === 'read',
      idempotentHint: effect !== 'once',
      destructiveHint: operationId === 'createTransfer' || operation.method === 'delete',
    },
    call: (args) => call(operation, send, args),
  }
}

/** Parameters by their names, and `body`. */
function inputOf({ parameters, requestBody }: Operation): InputSchema {
  const body = requestBody?.content['application/json'].schema
  const named = parameters.map(({ name, description, schema }) => [
    name,
    { ...schema, description },
  ])
  const required = parameters.filter((it) => it.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: { ...Object.fromEntries(named), ...(body && { body }) },
    required: body ? [...required, 'body'] : required,
  }
}

async function call(
  operation: Operation,
  send: Send,
  { body, ...args }: Arguments,
): Promise<string> {
  const { method, path, parameters } = operation
  const paramsIn = (place: string) =>
    Object.fromEntries(
      parameters.filter((it) => it.in === place).map(({ name }) => [name, args[name]]),
    )
  const params = { path: paramsIn('path'), query: paramsIn('query') }
  try {
    const { data, error, response } = await send(method, path, { params, body })
    const text = `${response.status} ${JSON.stringify(data ?? error ?? null)}`
    if (response.ok) return text
    throw new CliError(
      text.replace(/expected a body, got nothing\./, '$& Send it as the argument `body`.'),
    )
  } catch (error) {
    if (error instanceof PaymentsError) throw new CliError(error.message, { cause: error })
    throw error
  }
}
