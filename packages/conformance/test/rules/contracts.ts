import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

/** The contract without one operation. */
export function without(operation: string): object {
  const paths = Object.entries(contract.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).filter(([, it]) => idOf(it) !== operation)),
  ])
  return { ...contract, paths: Object.fromEntries(paths) }
}

/** The contract with other statuses of one operation. */
export function withStatuses(operation: string, change: (responses: object) => object): object {
  // A link also names an operation, but has no statuses.
  return JSON.parse(JSON.stringify(contract), (_, it) =>
    idOf(it) === operation && 'responses' in it ? { ...it, responses: change(it.responses) } : it,
  )
}

/** The contract without all nodes of a name, such as a header or a media type. */
export function withoutNamed(name: string): object {
  return JSON.parse(JSON.stringify(contract), (key, it) => (key === name ? undefined : it))
}

/** The contract without marks, as if all of it were facts. */
export const UNMARKED: object = JSON.parse(JSON.stringify(contract), (name, it) =>
  name === 'x-open-question' ? undefined : it,
)

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'operationId' in value ? value.operationId : undefined
}
