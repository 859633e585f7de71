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

  it('names the keyword at its place in the document', () => {
    const [finding] = found({ $ref: 'https://example.com/tree#leaf' }, 1, { Tree })
    expect(finding?.contract).toBe('/components/schemas/Tree/$defs/Leaf/type')
  })

  it('takes an open question along', () => {
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

  it('means the outermost anchor of its name, so that a list can be of anything', () => {
    expect(brief(found(listOf('string'), ['a', 1], { List }))).toEqual(['body/1 type'])
    expect(brief(found(listOf('integer'), ['a', 1], { List }))).toEqual(['body/0 type'])
    expect(brief(found({ $ref: 'https://example.com/list' }, ['a', null], { List }))).toEqual(['body/1 not'])
  })

  it('means other anchors in other places of one document', () => {
    const schema = { properties: { a: listOf('string'), b: listOf('integer') } }
    expect(brief(found(schema, { a: ['x', 1], b: ['x', 1] }, { List }))).toEqual([
      'body/a/1 type',
      'body/b/0 type',
    ])
  })

  it('makes a tree strict all the way down', () => {
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

  it('is like a reference where no dynamic anchor has its name', () => {
    const schema = { items: { $dynamicRef: '#/components/schemas/Text' } }
    expect(brief(found(schema, ['a', 1], { Text: { type: 'string' } }))).toEqual(['body/1 type'])
  })

  it('knows the properties of all that it can mean', () => {
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

  it('that applies itself to the very value is refused when it is used', () => {
    const schema = {
      $id: 'https://example.com/loop',
      $dynamicAnchor: 'loop',
      allOf: [{ $dynamicRef: '#loop' }],
    }
    expect(() => found(schema, 1)).toThrow('must not be made of itself')
  })
})

describe('what is refused', () => {
  const cases: [string, unknown, string, string][] = [
    ['an identifier that nothing has', { $ref: 'https://example.com/none' }, 'schema/$ref', '$ref'],
    ['an anchor that nothing has', { $ref: '#none' }, 'schema/$ref', '$ref'],
    ['a dynamic reference that leads nowhere', { $dynamicRef: '#none' }, 'schema/$dynamicRef', '$dynamicRef'],
    [
      'a recursive reference of an older draft',
      { $recursiveRef: '#' },
      'schema/$recursiveRef',
      '$recursiveRef',
    ],
    [
      'an identifier of two schemas',
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
