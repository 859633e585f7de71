import type { Operation } from './contract.ts'

/**
 * The declaration of one operation's method, with its summary, effect, errors and open questions.
 */
export function methodOf(operation: Operation): string {
  const { operationId, verb, method, path, summary, description } = operation
  const text = `${summary}: \`${operationId}\`, ${method} ${path}\n\n${description}`
  const parameters = parametersOf(operation).join(', ')
  return `${comment(text)}  ${verb}(${parameters}): ${returnOf(operation)}\n`
}

/** Formats a JSDoc comment. */
export function comment(text: string, indent = '  '): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n')
  let printed = `${indent}/**\n`
  for (const line of lines) printed += `${indent}${` * ${line}`.trimEnd()}\n`
  printed += `${indent} */\n`
  return printed
}

function parametersOf(operation: Operation): string[] {
  const parameters = operation.pathParameters.map((name) => `${name}: string`)
  const input = inputParameterOf(operation)
  if (input) parameters.push(input)
  parameters.push('options?: CallOptions')
  return parameters
}

/** The body or the query. The two checks take a single value instead. */
function inputParameterOf({ operationId, request, takes }: Operation): string | undefined {
  if (operationId === 'checkCode') return 'emv: string'
  if (operationId === 'checkKey') return 'dict_key: string'
  if (takes === 'body') return `body: ${request}`
  if (takes === 'query') return `query?: operations['${operationId}']['parameters']['query']`
  return undefined
}

function returnOf(operation: Operation): string {
  const { operationId, status } = operation
  return `${callTypeOf(operation)}<${dataTypeOf(operation)}, ${status}, ErrorCodes['${operationId}']>`
}

function callTypeOf({ takes, effect }: Operation): string {
  if (takes === 'query') return 'List'
  if (effect === 'once') return 'OnceCall'
  return 'Call'
}

function dataTypeOf({ operationId, response = 'undefined', mayBeEmpty }: Operation): string {
  if (operationId === 'checkCode') return 'CheckedCode'
  if (operationId === 'checkKey') return 'CheckedKey'
  return mayBeEmpty ? `${response} | undefined` : response
}
