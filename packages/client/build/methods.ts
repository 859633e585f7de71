import type { Operation } from './contract.ts'

/**
 * The declaration of one operation's method, with its summary, effect, errors and open questions.
 */
export function methodOf(operation: Operation): string {
  const { operationId, verb, method, path } = operation
  const text = `${operation.summary}: \`${operationId}\`, ${method} ${path}\n\n${operation.description}`
  return `${comment(text)}  ${verb}(${parametersOf(operation).join(', ')}): ${returnOf(operation)}\n`
}

/** Formats a JSDoc comment. */
export function comment(text: string, indent = '  '): string {
  const lines = text.trim().replaceAll('*/', '*\\/').split('\n')
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */']
    .map((line) => `${indent}${line}\n`)
    .join('')
}

function parametersOf(operation: Operation): string[] {
  const { pathParameters, request, takes, operationId } = operation
  const own = { checkCode: 'emv: string', checkKey: 'dict_key: string' }[operationId]
  const query = `query?: operations['${operationId}']['parameters']['query']`
  const input = own ?? (takes === 'body' ? `body: ${request}` : takes && query)
  return [
    ...pathParameters.map((name) => `${name}: string`),
    ...(input ? [input] : []),
    'options?: CallOptions',
  ]
}

function returnOf({ operationId, effect, takes, response, status }: Operation): string {
  const own = { checkCode: 'CheckedCode', checkKey: 'CheckedKey' }[operationId]
  const type = takes === 'query' ? 'List' : effect === 'once' ? 'OnceCall' : 'Call'
  return `${type}<${own ?? response ?? 'undefined'}, ${status}, ErrorCodes['${operationId}']>`
}
