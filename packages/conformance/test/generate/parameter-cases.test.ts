import { expect, it } from 'vitest'
import type { Context } from '../../src/engine/context.ts'
import { parameterBoundaries, parameterBreaks } from '../../src/generate/parameter-cases.ts'
import { createSchemas } from '../../src/generate/schema/index.ts'
import type { ParameterView } from '../../src/model/parameter-views.ts'

const schema = { type: 'integer', minimum: 1, maximum: 50 }
const parameters = [{ name: 'limit', in: 'query', example: 20, schema }]
const get = { operationId: 'list', parameters, responses: { 200: { description: 'All.' } } }
const schemas = createSchemas({
  openapi: '3.1.0',
  info: { title: 'One', version: '1' },
  paths: { '/list': { get } },
})
// Of the context, these rules use only the schemas.
const context = { schemas } as Context
const limit: ParameterView = {
  name: 'limit',
  in: 'query',
  pointer: '/paths/~1list/get/parameters/0',
  example: 20,
  isRequired: false,
  isValid: () => true,
}

it('breaks each keyword of a parameter that is a number', () => {
  const made = parameterBreaks(context.schemas, limit).map(
    ({ value, change }) => `${value} ${change.keyword}`,
  )
  expect(made).toEqual(expect.arrayContaining(['0 minimum', '51 maximum', 'true type', '1.5 type']))
})

it('reaches the edges of a parameter that is a number', () => {
  const made = parameterBoundaries(context.schemas, limit).map(({ value }) => value)
  expect(made).toEqual(expect.arrayContaining(['1', '50']))
})
