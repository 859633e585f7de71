import { deprecationText, type Operation } from '@partner-payments/contract'
import { chooseInput, mayBeEmpty } from './contract.ts'

/**
 * The declaration of one operation's method, with its summary, effect, errors and open questions.
 */
export function writeMethod(operation: Operation): string {
  const { id, name, method, path, summary, description, deprecation } = operation
  const note = NOTES[id] ? `\n\n${NOTES[id]}` : ''
  const end = deprecation ? `\n\n@deprecated ${deprecationText(deprecation)}` : ''
  const text = `${summary}: \`${id}\`, ${method} ${path}${note}\n\n${description}${end}`
  const parameters = writeParameters(operation).join(', ')
  return `${comment(text)}  ${name}(${parameters}): ${writeReturn(operation)}\n`
}

/** What a reader of a method should know first. */
const NOTES: Readonly<Record<string, string>> = {
  createTransfer:
    'Prefer `pay` of what `codes.check`, `keys.check` or a stored check returned: it pays once, and only what was checked.',
}

/** Formats a JSDoc comment. */
export function comment(text: string, indent = '  '): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n')
  let printed = `${indent}/**\n`
  for (const line of lines) printed += `${indent}${` * ${line}`.trimEnd()}\n`
  printed += `${indent} */\n`
  return printed
}

/** The schemas that the method of an operation names. */
export function listSchemas(operation: Operation): string[] {
  const names: string[] = []
  const { request, success } = operation
  if (chooseInput(operation) === 'body' && request?.name) names.push(request.name)
  if (success.body?.name && !FLOWS[operation.id]) names.push(success.body.name)
  return names
}

/** The hand-written flows: they take one field of the body, and their data can be paid. */
const FLOWS: Readonly<Record<string, { readonly field: string; readonly data: string }>> = {
  checkCode: { field: 'emv', data: 'CheckedCode' },
  checkKey: { field: 'dict_key', data: 'CheckedKey' },
}

function writeParameters(operation: Operation): string[] {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  const parameters = inPath.map(({ name }) => `${name}: string`)
  const input = writeInputParameter(operation)
  if (input) parameters.push(input)
  parameters.push('options?: CallOptions')
  return parameters
}

/** The body or the query. The flows take a single value instead. */
function writeInputParameter(operation: Operation): string | undefined {
  const { id, request } = operation
  const flow = FLOWS[id]
  if (flow) return `${flow.field}: ${request?.name}['${flow.field}']`

  const input = chooseInput(operation)
  if (input === 'body') return `body: ${request?.name}`
  if (input === 'query') return `query?: operations['${id}']['parameters']['query']`
  return undefined
}

function writeReturn(operation: Operation): string {
  const { id, status } = operation
  return `${writeCallType(operation)}<${writeDataType(operation)}, ${status}, ErrorCodes['${id}']>`
}

function writeCallType({ isPaged, effect }: Operation): string {
  if (isPaged) return 'List'
  if (effect === 'once') return 'OnceCall'
  return 'Call'
}

function writeDataType(operation: Operation): string {
  const flow = FLOWS[operation.id]
  if (flow) return flow.data
  const response = operation.success.body?.name ?? 'undefined'
  return mayBeEmpty(operation) ? `${response} | undefined` : response
}
