import { describe, expect, it } from 'vitest'
import { ContractError, createValidator, type Finding } from '../src/index.ts'
import { brief, documentOf, findingsOf } from './contract.ts'

function found(schema: unknown, body: unknown, schemas: object = {}): Finding[] {
  return findingsOf(createValidator(documentOf(schema, { schemas })), body)
}

describe('a reference', () => {
  const Tree = {
    $id: 'https://example.com/tree',
    properties: { children: { type: 'array', items: { $ref: '#' } }, leaf: { $ref: '#/$defs/Leaf' } },
    additionalProperties: false,
    $defs: {
      Leaf: { $anchor: 'leaf', type: 'string' },
      Other: { $id: 'other', $defs: { it: { type: 'null' } } },
    },
  }
  const cases: [string, unknown, unknown, string[]][] = [
    [
      'to an identifier',
      { $ref: 'https://example.com/tree' },
      { children: [{ x: 1 }] },
      ['body/children/0/x additionalProperties'],
    ],
    [
      'by a pointer into a schema with an identifier',
      { $ref: 'https://example.com/tree#/$defs/Leaf' },
      1,
      ['body type'],
    ],
    ['to an anchor', { $ref: 'https://example.com/tree#leaf' }, 1, ['body type']],
    [
      'relative to the identifier around it',
      { $ref: 'https://example.com/other#/$defs/it' },
      1,
      ['body type'],
    ],
    [
      'inside a schema with an identifier',
      { $ref: '#/components/schemas/Tree' },
      { leaf: 1 },
      ['body/leaf type'],
    ],
    ['with encoded characters', { $ref: '#/components/schemas/a%25b' }, 1, ['body type']],
  ]
  it.each(cases)('is followed %s', (_, schema, body, findings) => {
    const schemas = { Tree, 'a%b': { type: 'string' } }
    expect(brief(found(schema, body, schemas))).toEqual(findings)
  })

  it('reports the keyword at its location in the document', () => {
    const [finding] = found({ $ref: 'https://example.com/tree#leaf' }, 1, { Tree })
    expect(finding?.contract).toBe('/components/schemas/Tree/$defs/Leaf/type')
  })

  it('passes on an open question', () => {
    const schema = { $ref: 'https://example.com/tree#leaf', 'x-open-question': 'shape' }
    expect(found(schema, 1, { Tree })).toMatchObject([{ question: 'shape' }])
  })
})

describe('a dynamic reference', () => {
  const List = {
    $id: 'https://example.com/list',
    type: 'array',
    items: { $dynamicRef: '#item' },
    $defs: { any: { $dynamicAnchor: 'item', not: { type: 'null' } } },
  }
  const listOf = (type: string) => ({
    $id: `https://example.com/list-of-${type}`,
    $ref: 'list',
    $defs: { own: { $dynamicAnchor: 'item', type } },
  })

  it('resolves to the outermost anchor of its name, as in a generic list', () => {
    expect(brief(found(listOf('string'), ['a', 1], { List }))).toEqual(['body/1 type'])
    expect(brief(found(listOf('integer'), ['a', 1], { List }))).toEqual(['body/0 type'])
    expect(brief(found({ $ref: 'https://example.com/list' }, ['a', null], { List }))).toEqual(['body/1 not'])
  })

  it('resolves to different anchors in different parts of a document', () => {
    const schema = { properties: { a: listOf('string'), b: listOf('integer') } }
    expect(brief(found(schema, { a: ['x', 1], b: ['x', 1] }, { List }))).toEqual([
      'body/a/1 type',
      'body/b/0 type',
    ])
  })

  it('makes a tree strict at every level', () => {
    const Tree = {
      $id: 'https://example.com/tree',
      $dynamicAnchor: 'node',
      properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
    }
    const strict = {
      $id: 'https://example.com/strict',
      $dynamicAnchor: 'node',
      $ref: 'tree',
      unevaluatedProperties: false,
    }
    const body = { children: [{ children: [{ daat: 1 }] }] }
    expect(brief(found(strict, body, { Tree }))).toEqual([
      'body/children/0/children/0/daat unevaluatedProperties',
    ])
    expect(found({ $ref: 'https://example.com/tree' }, body, { Tree })).toEqual([])
  })

  it('acts like `$ref` without a matching dynamic anchor', () => {
    const schema = { items: { $dynamicRef: '#/components/schemas/Text' } }
    expect(brief(found(schema, ['a', 1], { Text: { type: 'string' } }))).toEqual(['body/1 type'])
  })

  it('declares the properties of all possible targets', () => {
    const base = {
      $id: 'https://example.com/base',
      $dynamicRef: '#more',
      $defs: { m: { $dynamicAnchor: 'more' } },
    }
    const schema = {
      $id: 'https://example.com/own',
      properties: { a: {} },
      $ref: 'base',
      $defs: { own: { $dynamicAnchor: 'more', properties: { b: {} } } },
    }
    const validator = createValidator(documentOf(schema, { schemas: { base } }))
    expect(brief(findingsOf(validator, { a: 1, b: 1, c: 1 }, { unknown: true }))).toEqual(['body/c unknown'])
  })

  it('that is circular is refused on use', () => {
    const schema = {
      $id: 'https://example.com/loop',
      $dynamicAnchor: 'loop',
      allOf: [{ $dynamicRef: '#loop' }],
    }
    expect(() => found(schema, 1)).toThrow('must not refer to itself')
  })
})

describe('refused references', () => {
  const cases: [string, unknown, string, string][] = [
    ['an unknown identifier', { $ref: 'https://example.com/none' }, 'schema/$ref', '$ref'],
    ['an unknown anchor', { $ref: '#none' }, 'schema/$ref', '$ref'],
    ['an unresolvable dynamic reference', { $dynamicRef: '#none' }, 'schema/$dynamicRef', '$dynamicRef'],
    [
      'a recursive reference of an older draft',
      { $recursiveRef: '#' },
      'schema/$recursiveRef',
      '$recursiveRef',
    ],
    [
      'a duplicate identifier',
      { allOf: [{ $id: 'https://example.com/a' }, { $id: 'https://example.com/a' }] },
      'schema/allOf/1/$id',
      '$id',
    ],
    ['an identifier with a fragment', { $id: '#a' }, 'schema/$id', '$id'],
  ]
  it.each(cases)('includes %s', (_, schema, place, keyword) => {
    const make = () => createValidator(documentOf(schema))
    expect(make).toThrow(ContractError)
    expect(make).toThrow(
      expect.objectContaining({
        keyword,
        pointer: expect.stringMatching(`${place.replaceAll('$', '\\$')}$`),
      }),
    )
  })
})
