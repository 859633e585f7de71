import SwaggerParser from '@apidevtools/swagger-parser'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { OpenAPIV3 } from 'openapi-types'
import { Collection } from 'postman-collection'
import { expect, it } from 'vitest'
import { exportsOf } from '../exports.ts'

const files = await exportsOf()
const operations = Object.values(contract.paths).flatMap((it) =>
  Object.values(it).flatMap((operation) =>
    typeof operation === 'object' && 'operationId' in operation ? [operation.operationId] : [],
  ),
)

it('exports every operation as OpenAPI 3.0, which swagger-parser accepts', async () => {
  const document = structuredClone(files['partner-payments-openapi-3.0.json']) as OpenAPIV3.Document
  const { openapi, paths } = (await SwaggerParser.validate(document)) as OpenAPIV3.Document
  expect(openapi).toMatch(/^3\.0/)
  const ids = Object.values(paths).flatMap((it) =>
    Object.values(it ?? {}).map((one) => Object(one).operationId),
  )
  expect(ids.filter((it) => it !== undefined).sort()).toEqual(operations.toSorted())
})

it('exports a request for every operation as a Postman collection, with the bodies of the contract', () => {
  const collection = new Collection(files['partner-payments.postman_collection.json'])
  const names: string[] = []
  const bodies: string[] = []
  collection.forEachItem((item) => {
    names.push(item.name)
    bodies.push(String(item.request.body?.raw ?? ''))
  })
  expect(names).toHaveLength(operations.length)
  expect(bodies.join()).toContain('"amount": "10.50"')
})
