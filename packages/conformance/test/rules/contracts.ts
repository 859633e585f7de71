import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

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

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'operationId' in value ? value.operationId : undefined
}
