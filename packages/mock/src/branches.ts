type Schema = Record<string, unknown>

interface WithBody {
  request?: { body?: { contents?: { schema?: unknown }[] } }
}

/**
 * Narrows an operation whose body is a choice, such as a transfer of type emv or dict, to the branch that
 * a body chose. Judged by the whole choice, one wrong member of an emv transfer is reported along with
 * everything that keeps it from being a dict transfer.
 */
export function branchByConstant<T extends WithBody>(operation: T): (body: unknown) => T {
  const schema = operation.request?.body?.contents?.[0]?.schema as Schema | undefined
  const branches = objects(schema?.oneOf)
  const name = choosingMember(branches)
  if (name === undefined) return () => operation

  // Made once: Prism compiles a schema object once, and keeps what it compiled for as long as the object lives.
  const narrowed = new Map(branches.map((branch) => [constant(branch, name), withSchema(operation, branch)]))
  const undecided = withSchema(operation, oneMember(name, [...narrowed.keys()]))
  return (body) => narrowed.get((body as Schema | null)?.[name]) ?? undecided
}

/** The member that every branch fixes to a value of its own. */
function choosingMember(branches: Schema[]): string | undefined {
  const names = Object.keys((branches[0]?.properties as Schema | undefined) ?? {})
  return names.find((name) => branches.every((branch) => constant(branch, name) !== undefined))
}

function constant(branch: Schema, name: string): unknown {
  return ((branch.properties as Schema | undefined)?.[name] as Schema | undefined)?.const
}

function oneMember(name: string, values: unknown[]): Schema {
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
