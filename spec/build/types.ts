import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { Node } from '../lint/marks.ts'
import type { Register } from '../lint/register.ts'
import { describe } from './describe.ts'
import { OPEN, openEnums } from './open-enums.ts'

const HEADER = `/**
 * Types of a partner payments contract.
 *
 * The document that describes the service is silent in many places. The contract makes an assumption there, and each
 * such place names it. Enumerations in responses are open: a service may send a value that is not listed.
 */
`

/** The TypeScript declarations of a bundled contract: models, paths and operations, with the open questions in JSDoc. */
export async function typesOf(contract: Node, register: Register): Promise<string> {
  const annotated = openEnums(describe(contract, register))
  const nodes = await openapiTS(JSON.stringify(annotated), {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    // A field with a default stays optional: the service fills it in.
    defaultNonNullable: false,
    silent: true,
    transform: (schema) =>
      OPEN in schema && Array.isArray(schema.enum) ? openUnion(schema.enum.map(String)) : undefined,
  })
  return HEADER + astToString(nodes)
}

/** `'a' | 'b' | (string & {})`: editors suggest the values, the compiler accepts every string. */
function openUnion(values: readonly string[]): ts.TypeNode {
  const { factory } = ts
  const literals = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)))
  const anyString = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeLiteralNode([]),
  ])
  return factory.createUnionTypeNode([...literals, factory.createParenthesizedType(anyString)])
}
