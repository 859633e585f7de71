import sources from '@partner-payments/spec/sources.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { locateBySources, locateInFile } from '../../src/report/source-location.ts'

const YAML = `# a comment
openapi: 3.1.0
paths:
  /a/{b}:
    get: &get
      responses:
        '200': { description: ok }
  /c: { get: *get }
tags:
  - name: one
  - name: two
`
const JSON_TEXT =
  '{\n\t"openapi": "3.1.0",\n\t"tags": [\n\t\t{ "name": "one" },\n\t\t{\n\t\t\t"name": "two" }\n\t]\n}\n'

test.each([
  ['', 1],
  ['/openapi', 2],
  ['/paths/~1a~1{b}', 4],
  ['/paths/~1a~1{b}/get/responses/200/description', 7],
  ['/paths/~1c', 8],
  ['/paths/~1c/get/responses/200', 7],
  ['/tags/1', 11],
  ['/tags/1/nothing/at/all', 11],
  ['/nothing', 1],
  ['/tags/x', 9],
])('finds %s in a YAML file', (pointer, line) => {
  const at = locateInFile('openapi.yaml', YAML)(pointer)
  expect(at).toEqual({ file: 'openapi.yaml', line })
})

test.each([
  ['/openapi', 2],
  ['/tags/0/name', 4],
  ['/tags/1', 5],
  ['/tags/1/name', 6],
])('finds %s in a JSON file', (pointer, line) => {
  expect(locateInFile('openapi.json', JSON_TEXT)(pointer)).toEqual({ file: 'openapi.json', line })
})

test('an empty file has one line', () => {
  expect(locateInFile('empty.yaml', '')('/a')).toEqual({ file: 'empty.yaml', line: 1 })
})

test('finds a node of the contract in its source file', () => {
  const at = locateBySources(sources, 'spec')('/components/schemas/KeyCheck/properties/ispb')
  expect(at?.file).toBe('spec/schemas/keys.yaml')
  expect(locateBySources(sources)('/components/schemas/KeyCheck')?.file).toBe('schemas/keys.yaml')
})

test('a missing node has the line of its nearest ancestor', () => {
  const locate = locateBySources({ '': 'openapi.yaml:1', '/info': 'openapi.yaml:2' })
  expect(locate('/info/title/more')).toEqual({ file: 'openapi.yaml', line: 2 })
  expect(locate('/constructor')).toEqual({ file: 'openapi.yaml', line: 1 })
  expect(locateBySources({})('/info')).toBeUndefined()
})
