import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { createValidator } from '../src/index.ts'
import { documentOf, findingsOf } from './contract.ts'

/** A schema with valid and invalid values, and the reason if another implementation differs. */
interface Case {
  readonly schema: object
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
  readonly ajv?: string
  readonly hyperjump?: string
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const emoji = '👩‍👩‍👧'
const json = (text: string): unknown => JSON.parse(text)
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
/** Parses a conditional schema from JSON, since an object literal with `then` would be a thenable. */
const when = (test: object, follows: object, other: object = {}) =>
  JSON.parse(
    `{"if":${JSON.stringify(test)},"then":${JSON.stringify(follows)},"else":${JSON.stringify(other)}}`,
  ) as object

const cases: Record<string, Case> = {
  'anyOf inside of allOf inside of oneOf': {
    schema: {
      oneOf: [{ allOf: [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }] }, { type: 'integer', maximum: 7 }],
    },
    right: ['a', 8, 4],
    wrong: [6, 7],
  },
  'not of not': { schema: { not: { not: { type: 'string' } } }, right: ['a'], wrong: [1, null] },
  'not discards what it evaluated': {
    schema: { not: { not: { properties: { a: {} } } }, unevaluatedProperties: false },
    right: [{}, 1],
    wrong: [{ a: 1 }],
  },
  'unevaluatedProperties after nested choices': {
    schema: {
      anyOf: [
        {
          properties: { a: { type: 'string' } },
          required: ['a'],
          oneOf: [
            { properties: { b: {} }, required: ['b'] },
            { properties: { c: {} }, required: ['c'] },
          ],
        },
        { properties: { d: {} } },
      ],
      unevaluatedProperties: false,
    },
    right: [{ a: 'x', b: 1 }, { a: 'x', c: 1, d: 1 }, { d: 1 }],
    wrong: [{ a: 1, b: 1 }, { a: 'x', e: 1 }, { b: 1 }],
    ajv: 'counts the properties of a nested choice in an invalid branch',
  },
  'unevaluatedProperties with a schema': {
    schema: {
      properties: { a: {} },
      allOf: [{ patternProperties: { '^x': {} } }],
      unevaluatedProperties: { type: 'integer' },
    },
    right: [{ a: 'x', xy: 'x', n: 1 }],
    wrong: [{ n: 'x' }],
  },
  'unevaluatedProperties inside of unevaluatedProperties': {
    schema: {
      allOf: [{ properties: { a: {} }, unevaluatedProperties: { type: 'string' } }],
      unevaluatedProperties: false,
    },
    right: [{ a: 1, b: 'x' }],
    wrong: [{ a: 1, b: 1 }],
  },
  'unevaluatedProperties does not see cousins': {
    schema: { allOf: [{ properties: { a: {} } }, { unevaluatedProperties: false }] },
    right: [{}],
    wrong: [{ a: 1 }],
  },
  'unevaluatedProperties after dependentSchemas': {
    schema: {
      properties: { a: {} },
      dependentSchemas: { a: { properties: { b: {} } } },
      unevaluatedProperties: false,
    },
    right: [{ a: 1, b: 1 }],
    wrong: [{ b: 1 }, { a: 1, c: 1 }],
  },
  'unevaluatedProperties after a failing condition': {
    schema: {
      ...when(
        { properties: { a: { const: 1 } }, required: ['a'] },
        { properties: { b: {} } },
        { properties: { c: {} } },
      ),
      unevaluatedProperties: false,
    },
    right: [{ a: 1, b: 1 }, { c: 1 }],
    wrong: [
      { a: 2, c: 1 },
      { a: 1, c: 1 },
    ],
  },
  'unevaluatedProperties after a failing condition without then': {
    schema: {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      else: { properties: { c: {} } },
      unevaluatedProperties: false,
    },
    right: [{ a: 1 }, { c: 1 }],
    wrong: [{ a: 2 }, { a: 1, c: 1 }],
    ajv: 'counts the properties of a failed condition',
  },
  'unevaluatedProperties by a reference': {
    schema: {
      $ref: '#/$defs/base',
      properties: { b: {} },
      unevaluatedProperties: false,
      $defs: { base: { properties: { a: {} } } },
    },
    right: [{ a: 1, b: 1 }],
    wrong: [{ c: 1 }],
  },
  'additionalProperties looks at its own schema alone': {
    schema: { allOf: [{ properties: { a: {} } }], properties: { b: {} }, additionalProperties: false },
    right: [{ b: 1 }],
    wrong: [{ a: 1 }],
  },
  'unevaluatedItems after nested lists': {
    schema: { prefixItems: [{}], allOf: [{ prefixItems: [{}, {}] }], unevaluatedItems: { type: 'string' } },
    right: [[1, 2, 'x'], [1], []],
    wrong: [[1, 2, 3]],
  },
  'unevaluatedItems after two that contain': {
    schema: {
      allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }],
      unevaluatedItems: { multipleOf: 5 },
    },
    right: [[2, 3, 4, 5, 6]],
    wrong: [
      [2, 3, 7],
      [2, 4],
    ],
    ajv: 'counts all items of a list that contains one',
  },
  'unevaluatedItems after a branch that contains': {
    schema: {
      anyOf: [{ contains: { const: 'a' } }, { prefixItems: [{ const: 'b' }] }],
      unevaluatedItems: false,
    },
    right: [['a', 'a'], ['b'], ['b', 'a']],
    wrong: [
      ['a', 'b'],
      ['b', 'b'],
    ],
    ajv: 'counts all items of a list that contains one',
  },
  'unevaluatedItems of what need not be contained': {
    schema: { contains: { type: 'string' }, minContains: 0, unevaluatedItems: { type: 'null' } },
    right: [[], ['a', null], [null]],
    wrong: [[1], ['a', 1]],
    ajv: 'ignores an optional contains and the items that it evaluates',
  },
  'unevaluatedItems and unevaluatedProperties of one schema': {
    schema: {
      anyOf: [{ properties: { a: {} } }, { prefixItems: [{}] }],
      unevaluatedItems: false,
      unevaluatedProperties: false,
    },
    right: [{ a: 1 }, [1], 1],
    wrong: [{ b: 1 }, [1, 2]],
  },
  'items count all for unevaluatedItems': {
    schema: { allOf: [{ prefixItems: [{}], items: { type: 'integer' } }], unevaluatedItems: false },
    right: [['x', 1, 2]],
    wrong: [['x', 'y']],
  },
  'contains between two counts': {
    schema: { contains: { type: 'integer' }, minContains: 2, maxContains: 3 },
    right: [[1, 'a', 2], [1, 2, 3], 'a'],
    wrong: [[1], [1, 2, 3, 4], []],
  },
  'contains false': { schema: { contains: false }, right: ['a', {}], wrong: [[], [1]] },
  'minContains without contains': { schema: { minContains: 2, maxContains: 0 }, right: [[], [1]], wrong: [] },
  'prefixItems longer than the list': {
    schema: { prefixItems: [{ type: 'string' }, false] },
    right: [[], ['a'], 1],
    wrong: [[1], ['a', 1]],
  },
  'an identifier inside of an identifier': {
    schema: {
      $id: 'https://example.com/by-hand/root.json',
      $ref: 'inner/a.json#/$defs/x',
      $defs: {
        a: { $id: 'inner/a.json', $defs: { x: { $ref: 'b.json' } } },
        b: { $id: 'inner/b.json', type: 'string' },
      },
    },
    right: ['a'],
    wrong: [1],
  },
  'the same anchor in two resources': {
    schema: {
      $id: 'https://example.com/by-hand/anchors',
      allOf: [{ $ref: '#it' }, { $ref: 'other#it' }],
      $defs: {
        own: { $anchor: 'it', minimum: 1 },
        other: { $id: 'other', $defs: { it: { $anchor: 'it', maximum: 2 } } },
      },
    },
    right: [1, 2],
    wrong: [0, 3],
  },
  'a reference to all of itself': {
    schema: { type: ['object', 'null'], properties: { next: { $ref: '#' } }, additionalProperties: false },
    right: [{ next: { next: null } }],
    wrong: [{ next: { next: 1 } }, { next: { nxt: null } }],
  },
  'a pointer with every escape': {
    schema: { $ref: '#/$defs/a~1b~0c%25d%22', $defs: { 'a/b~c%d"': { type: 'string' } } },
    right: ['a'],
    wrong: [1],
  },
  'a keyword name as property, and $ref as one': {
    schema: {
      properties: { $ref: { type: 'string' }, properties: { type: 'integer' }, type: { const: 'type' } },
    },
    right: [{ $ref: 'a', properties: 1, type: 'type' }],
    wrong: [{ $ref: 1 }, { properties: 'a' }, { type: 'string' }],
  },
  'schemas inside of const and enum are values': {
    schema: { enum: [{ $ref: '#/nowhere' }, { type: 'strin' }] },
    right: [{ $ref: '#/nowhere' }, { type: 'strin' }],
    wrong: [{ $ref: '#' }],
  },
  'mutual recursion': {
    schema: {
      $ref: '#/$defs/even',
      $defs: {
        even: { prefixItems: [{ $ref: '#/$defs/odd' }], maxItems: 1 },
        odd: { type: 'array', prefixItems: [{ $ref: '#/$defs/even' }], minItems: 1 },
      },
    },
    right: [[], [[[]]], [[[[[]]]]]],
    wrong: [[[]], [[[[]]]], [1]],
  },
  'sixty levels': {
    schema: { anyOf: [{ type: 'integer' }, { type: 'array', items: { $ref: '#' } }] },
    right: [nested(60)],
    wrong: [[nested(50), 'a']],
  },
  'a dynamic reference through two resources': {
    schema: {
      $id: 'https://example.com/by-hand/dynamic',
      $ref: 'page',
      $defs: {
        item: { $dynamicAnchor: 'item', type: 'integer' },
        page: {
          $id: 'page',
          properties: { data: { $ref: 'list' } },
          $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
        },
        list: {
          $id: 'list',
          type: 'array',
          items: { $dynamicRef: '#item' },
          $defs: { item: { $dynamicAnchor: 'item', type: 'null' } },
        },
      },
    },
    right: [{ data: [1] }],
    wrong: [{ data: ['a'] }, { data: [null] }],
    ajv: 'looks for dynamic anchors at the root of a resource alone',
  },
  'a plain anchor stops a dynamic reference': {
    schema: {
      $id: 'https://example.com/by-hand/plain',
      $ref: 'list',
      $defs: {
        item: { $dynamicAnchor: 'item', type: 'integer' },
        list: {
          $id: 'list',
          items: { $dynamicRef: '#item' },
          $defs: { item: { $anchor: 'item', type: 'string' } },
        },
      },
    },
    right: [['a']],
    wrong: [[1]],
    ajv: 'looks for dynamic anchors at the root of a resource alone',
  },
  'big integers': {
    schema: { type: 'integer', maximum: 9007199254740992, minimum: -1e30 },
    right: [1e15, 9007199254740992, -1e30, 1.0],
    wrong: [1e17, -1e31, 1.5],
  },
  'an integer with an exponent': {
    schema: { type: 'integer' },
    right: [json('1e3'), json('1.0'), json('1E400') === Infinity ? 1 : 0],
    wrong: [json('1e-1')],
  },
  'multipleOf decimals': {
    schema: { multipleOf: 0.01 },
    right: [19.99, 0.07, 1.1, 4.35, 1e16, 0, -8.2],
    wrong: [0.005, 1.001, 19.999],
    ajv: 'divides binary fractions, of which 19.99 by 0.01 is no integer',
    hyperjump: 'divides binary fractions, and takes what is near for an integer',
  },
  'multipleOf a big number': { schema: { multipleOf: 1e20 }, right: [1e20, 3e20, 0], wrong: [1e19, 5] },
  'multipleOf more than one digit': { schema: { multipleOf: 2.5 }, right: [7.5, -2.5, 0], wrong: [7, 2.6] },
  'length in code points': {
    schema: { minLength: 5, maxLength: 5 },
    right: ['aaaaa', emoji, '𝒳𝒳𝒳𝒳𝒳', `${'é'.normalize('NFD').repeat(2)}e`],
    wrong: ['😀', '𝒳𝒳', 'aaaa', `${emoji}a`],
  },
  'a pattern over code points': { schema: { pattern: '^.$' }, right: ['😀', 'a'], wrong: ['ab', ''] },
  'a pattern with properties of Unicode': {
    schema: { pattern: '^\\p{Lu}\\p{Ll}+$' },
    right: ['Ángela', 'Ωα'],
    wrong: ['ángela', 'A1'],
  },
  'a pattern is found anywhere': { schema: { pattern: 'b' }, right: ['abc'], wrong: ['ac'] },
  'equality of numbers and of order': {
    schema: { const: { a: [1, { b: 2 }], c: null } },
    right: [{ c: null, a: [1.0, { b: 2 }] }],
    wrong: [{ c: null, a: [{ b: 2 }, 1] }, { a: [1, { b: 2 }] }, { c: null, a: [1, { b: '2' }] }],
  },
  'equality of true and 1': {
    schema: { enum: [1, false, [0]] },
    right: [1, false, [0]],
    wrong: [true, 0, [false]],
  },
  'unique items of unequal types': {
    schema: { uniqueItems: true },
    right: [
      [1, true, '1', [1], { 1: 1 }],
      [{ a: 1 }, { a: 2 }],
    ],
    wrong: [
      [1, 1.0],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[0], [-0]],
    ],
  },
  'propertyNames and patternProperties': {
    schema: {
      propertyNames: { maxLength: 3, pattern: '^[a-z]+$' },
      patternProperties: { a: { type: 'integer' }, b: { minimum: 2 } },
    },
    right: [{ ab: 2, c: 'x' }],
    wrong: [{ ab: 1 }, { ab: 'x' }, { abcd: 2 }, { A: 1 }],
  },
  'required names that objects have in JavaScript': {
    schema: {
      required: ['toString', '__proto__'],
      properties: json('{"__proto__":{"type":"string"}}') as object,
    },
    right: [json('{"toString":1,"__proto__":"a"}')],
    wrong: [{}, { toString: 1 }, json('{"toString":1,"__proto__":1}')],
    ajv: 'passes over a property of the name __proto__, and finds inherited ones',
  },
  'dependent on each other': {
    schema: { dependentRequired: { a: ['b'], b: ['c'] }, dependentSchemas: { c: { maxProperties: 3 } } },
    right: [{ a: 1, b: 1, c: 1 }, { c: 1 }, []],
    wrong: [{ a: 1 }, { a: 1, b: 1 }, { a: 1, b: 1, c: 1, d: 1 }],
  },
  'conditions inside of conditions': {
    schema: when({ type: 'object' }, when({ required: ['a'] }, { required: ['b'] }, { maxProperties: 1 }), {
      type: 'string',
    }),
    right: [{ a: 1, b: 1 }, { c: 1 }, 'x'],
    wrong: [{ a: 1 }, { c: 1, d: 1 }, 1],
  },
  'then without if': { schema: json('{"then":false,"else":false}') as object, right: [1, {}], wrong: [] },
  'else without if looks at nothing': {
    schema: { else: { properties: { a: {} } }, unevaluatedProperties: false },
    right: [{}],
    wrong: [{ a: 1 }],
  },
  'limits of other types': {
    schema: { minimum: 5, minLength: 3, minItems: 2, minProperties: 1, pattern: 'x' },
    right: [5, 'xyz', [1, 2], { a: 1 }, null, true],
    wrong: [4, 'xy', [1], {}],
  },
  'references beside other keywords': {
    schema: { $ref: '#/$defs/a', maxLength: 2, $defs: { a: { minLength: 2 } } },
    right: ['ab'],
    wrong: ['a', 'abc'],
  },
}

const verdictsOf = ({ right, wrong }: Case) => [...right.map(() => true), ...wrong.map(() => false)]
const valuesOf = ({ right, wrong }: Case) => [...right, ...wrong]

function ownOf(it: Case): boolean[] {
  // The schemas are whole documents, so their pointers start at their own root.
  const schema = { $id: 'https://example.com/by-hand', ...it.schema }
  const validator = createValidator(documentOf(schema))
  return valuesOf(it).map((value) => findingsOf(validator, value).length === 0)
}

function ajvOf(it: Case): boolean[] | undefined {
  try {
    const fits = new Ajv2020({ strict: false, validateSchema: false, logger: false }).compile(it.schema)
    return valuesOf(it).map((value) => fits(value))
  } catch {
    return undefined
  }
}

async function hyperjumpOf(it: Case): Promise<boolean[] | undefined> {
  const { $id: uri = `https://example.com/${crypto.randomUUID()}` } = it.schema as { $id?: string }
  try {
    registerSchema(structuredClone(it.schema) as never, uri, DRAFT)
    const fits = await validate(uri)
    return valuesOf(it).map((value) => fits(value as never).valid)
  } catch {
    return undefined
  }
}

describe('a hand-written schema', () => {
  it.each(Object.entries(cases))('has the specified result: %s', (_, it) => {
    expect(ownOf(it)).toEqual(verdictsOf(it))
  })

  it.each(Object.entries(cases))('has the same result with ajv, or a known difference: %s', (_, it) => {
    const others = ajvOf(it)
    if (it.ajv === undefined) expect(others).toEqual(verdictsOf(it))
    else expect(others).not.toEqual(verdictsOf(it))
  })

  it.each(Object.entries(cases))(
    'has the same result with @hyperjump/json-schema, or a known difference: %s',
    async (_, it) => {
      const others = await hyperjumpOf(it)
      if (it.hyperjump === undefined) expect(others).toEqual(verdictsOf(it))
      else expect(others).not.toEqual(verdictsOf(it))
    },
  )
})
