import openapiTS, {
  astToString,
  STRING,
  tsIntersection,
  tsLiteral,
  tsUnion,
} from 'openapi-typescript'
import ts from 'typescript'
import { isNode, type Node } from '../lint/marks.ts'
import { listOperations, reachableNodes } from '../lint/operations.ts'
import type { Register } from '../lint/register.ts'
import { describe } from './describe.ts'
import { namedSchemas } from './named-schemas.ts'

const HEADER = `/**
 * Types of a partner payments contract.
 *
 * The document that describes the service is silent in many places. The contract makes an
 * assumption there, and each such place names it. Enumerations in responses are open: a service may
 * send a value that is not listed.
 */
`

/** Set on a schema whose enum may get new values. */
const OPEN = 'x-open-enum'

/**
 * The TypeScript declarations of a bundled contract: models, paths and operations, with the open
 * questions in JSDoc.
 */
export async function writeTypes(contract: Node, register: Register): Promise<string> {
  const annotated = openEnums(describe(contract, register))
  return HEADER + (await writeDeclarations(annotated))
}

/**
 * Writes the TypeScript declarations of the schemas and operations of a document, which is laid out
 * as OpenAPI.
 */
export async function writeDeclarations(document: Node): Promise<string> {
  const nodes = await openapiTS(JSON.stringify(document), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A field with a default stays optional: the service fills it in.
    defaultNonNullable: false,
    silent: true,
    transform: createOpenUnion,
  })
  return astToString(namedSchemas(nodes))
}

/** The type of an open enum; undefined for any other schema, which then gets its usual type. */
function createOpenUnion(schema: unknown): ts.TypeNode | undefined {
  // A schema may be `true`.
  if (!isNode(schema) || !schema[OPEN] || !Array.isArray(schema.enum)) return undefined
  return openUnion(schema.enum.map(String))
}

/** `'a' | 'b' | (string & {})`: editors suggest the values, the compiler accepts every string. */
function openUnion(values: readonly string[]): ts.TypeNode {
  const { factory } = ts
  const anyString = tsIntersection([STRING, factory.createTypeLiteralNode([])])
  return tsUnion([...values.map(tsLiteral), factory.createParenthesizedType(anyString)])
}

/**
 * Copies a bundled contract and marks the enums that a program receives, in responses and
 * deliveries. The service may add values to these, so that their type accepts every string. The
 * rule enums-apart ensures that no request uses the same enum.
 */
function openEnums(contract: Node): Node {
  const copy = structuredClone(contract)
  const receivedBodies = [
    ...listOperations(copy).map(({ operation }) => operation.responses),
    ...listOperations(copy, 'webhooks').map(({ operation }) => operation.requestBody),
  ]
  // The pointers of the nodes are not used, so those of the bodies need not be given.
  for (const { node } of reachableNodes(copy, receivedBodies, ''))
    if (Array.isArray(node.enum)) Object.assign(node, { [OPEN]: true })
  return copy
}
