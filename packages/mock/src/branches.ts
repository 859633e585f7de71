type Schema = Record<string, unknown>

interface WithBody {
  request?: { body?: { contents?: { schema?: unknown }[] } }
}

/**
 * Narrows an operation with a discriminated body, such as a transfer of type emv or dict, to the branch that the body
 * selects. Otherwise one invalid property of an emv transfer would also report every difference from a dict transfer.
 */
export function branchByConstant<T extends WithBody>(operation: T): (body: unknown) => T {
  const schema = operation.request?.body?.contents?.[0]?.schema as Schema | undefined
  const branches = objects(schema?.oneOf)
  const name = discriminatingProperty(branches)
  if (name === undefined) return () => operation

  // Created once: Prism caches the compiled schema per schema object.
  const narrowed = new Map(branches.map((branch) => [constant(branch, name), withSchema(operation, branch)]))
  const undecided = withSchema(operation, onlyProperty(name, [...narrowed.keys()]))
  return (body) => narrowed.get((body as Schema | null)?.[name]) ?? undecided
}

/** The property for which every branch has a `const`. */
function discriminatingProperty(branches: Schema[]): string | undefined {
  const names = Object.keys((branches[0]?.properties as Schema | undefined) ?? {})
  return names.find((name) => branches.every((branch) => constant(branch, name) !== undefined))
}

function constant(branch: Schema, name: string): unknown {
  return ((branch.properties as Schema | undefined)?.[name] as Schema | undefined)?.const
}

function onlyProperty(name: string, values: unknown[]): Schema {
  return { type: 'object', required: [name], properties: { [name]: { enum: values } } }
}

function withSchema<T extends WithBody>(operation: T, schema: Schema): T {
  const { request } = operation
  const contents = request?.body?.contents?.map((content) => ({ ...content, schema }))
  return { ...operation, request: { ...request, body: { ...request?.body, contents } } }
}

function objects(value: unknown): Schema[] {
  return Array.isArray(value) ? value : []
}
