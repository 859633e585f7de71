import SwaggerParser from '@apidevtools/swagger-parser'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { OpenAPIV3 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { createExports } from '../exports.ts'

const files = await createExports()
const operations = operationsOf(contract)

describe('the contract as OpenAPI 3.0', () => {
  const document = files['partner-payments-openapi-3.0.json'] as OpenAPIV3.Document
  const text = JSON.stringify(document)

  it('has every operation, and swagger-parser accepts it', async () => {
    const validated = await SwaggerParser.validate(structuredClone(document))
    expect(validated).toHaveProperty('openapi', expect.stringMatching(/^3\.0/))
    expect(operationsOf(document)).toEqual(operations)
  })

  it('has no component that nothing refers to', () => {
    const { securitySchemes: _, ...components } = document.components ?? {}
    const names = Object.entries(components).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `"#/components/${kind}/${name}"`),
    )
    expect(names.length).toBeGreaterThan(100)
    expect(names.filter((name) => !text.includes(name))).toEqual([])
  })

  it('has nothing that parsers in Java or generators refuse: lookaheads, bodies of links that are no string', () => {
    expect(text).not.toMatch(/"pattern":"[^"]*\(\?[=!<]/)
    expect(text).not.toMatch(/"links":\{[^}]*"requestBody":\{/)
  })

  it('has an alias of a string as one schema with all keywords', () => {
    const { StaticQrCodeRequest } = document.components?.schemas ?? {}
    const { properties } = StaticQrCodeRequest as OpenAPIV3.SchemaObject
    const amount = properties?.amount
    expect(amount).toMatchObject({ type: 'string', pattern: '^[0-9]{1,10}\\.[0-9]{2}$' })
    expect(amount).not.toHaveProperty('allOf')
  })
})

it('exports the contract without references', () => {
  const document = files['partner-payments-openapi-dereferenced.json'] as OpenAPIV3.Document
  expect(JSON.stringify(document)).not.toContain('"$ref"')
  expect(operationsOf(document)).toEqual(operations)
})

it('has a request of each operation in the Postman collection', () => {
  const text = JSON.stringify(files['partner-payments.postman_collection.json'])
  expect(operations.filter((id) => !text.includes(`"name":"${id}:`))).toEqual([])
  expect(text).not.toContain('"exec":[]')
})

/** The ids of all operations, sorted. */
function operationsOf({ paths }: { readonly paths: object }): string[] {
  const ids: string[] = []
  for (const item of Object.values<Readonly<Record<string, unknown>>>({ ...paths }))
    for (const operation of Object.values(item))
      if (hasId(operation)) ids.push(operation.operationId)
  return ids.sort()
}

/** Beside its operations, a path has parameters. */
function hasId(value: unknown): value is { readonly operationId: string } {
  return typeof value === 'object' && value !== null && 'operationId' in value
}
