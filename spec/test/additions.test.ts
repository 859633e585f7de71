import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { SPEC } from '../build/build.ts'
import { readFiles } from '../lint/check.ts'
import type { Facts } from '../lint/facts.ts'
import { lintSpec } from '../lint/lint-spec.ts'
import { copySpec, type Edit } from './broken.ts'
import { factsChecker } from './facts-changed.ts'

const withBroken = copySpec()

/** The look-up of a key at another path, without what the document says of the first. */
const KEYS = readFileSync(join(SPEC, 'paths/keys.yaml'), 'utf8')
const [CHECK_KEY = ''] = /^check:\n(?: .*\n|\n)*/m.exec(KEYS) ?? []
const CHECK_KEY_V9 = CHECK_KEY.replace(/^check:/, 'checkV9:')
  .replace('operationId: checkKey\n', 'operationId: checkKeyV9\n')
  .replace(/ {4}x-essential:.*\n/, '')

const NEW_FIELD: Edit = {
  file: 'schemas/keys.yaml',
  text: '    ispb: {',
  to: '    fee: { $ref: values.yaml#/Amount, x-open-question: key-check-id, description: A fee. }\n    ispb: {',
}

const NEW_LINK: Edit = {
  file: 'paths/codes.yaml',
  text: '        links:\n',
  to: '        links:\n          key:\n            operationId: checkKeyV9\n            description: Looks the key up.\n            requestBody: { dict_key: $response.body#/beneficiary/dict_key }\n',
}

const NEW_TAG: Edit = {
  file: 'openapi.yaml',
  text: '  - name: users\n',
  to: '  - name: refunds\n    x-open-question: guide-paths\n    description: Pay back.\n  - name: users\n',
}

const MARK = '    x-open-question: guide-paths\n'

function assumedOperation(mark: string): Edit[] {
  const marked = CHECK_KEY_V9.replace('    x-open-question: { x-effect: effects }\n', mark)
  return [
    { file: 'paths/keys.yaml', pattern: '(?![^])', to: `\n${marked.replaceAll('$', '$$$$')}` },
    {
      file: 'openapi.yaml',
      text: '  /mobile-bff/v1/pix/out/:',
      to: '  /mobile-bff/v9/pix/dict/check/: { $ref: paths/keys.yaml#/checkV9 }\n  /mobile-bff/v1/pix/out/:',
    },
    {
      file: 'behaviour/keys.yaml',
      text: 'check: checkKey',
      to: 'check: checkKey, checkV9: checkKeyV9',
    },
  ]
}

describe('without a file outside spec/, the contract gets', () => {
  it('an optional field of a response, which is an assumption', async () => {
    expect(await messagesWith([NEW_FIELD])).toEqual([])
  })

  it('an operation that is an assumption, whose id ends with a digit', async () => {
    expect(await messagesWith(assumedOperation(MARK))).toEqual([])
  })

  it('no unmarked link to an assumption', async () => {
    expect(await messagesWith([NEW_LINK, ...assumedOperation(MARK)])).toEqual([
      'checkKeyV9 is an assumption; mark the link to it with its open question.',
    ])
  })

  it('a tag before those of the document', async () => {
    expect(await messagesWith([NEW_TAG])).toEqual([])
  })

  it('no operation that is neither a fact nor marked', async () => {
    expect(await messagesWith(assumedOperation(''))).toEqual([
      'facts.yaml has no operation "checkKeyV9" (POST /mobile-bff/v9/pix/dict/check/); add it there if the document states it, or mark it with its open question.',
    ])
  })
})

test('the lines of a new operation in CONTRIBUTING.md pass the lint', async () => {
  const edits = linesOfNewOperation()
  expect(edits).toHaveLength(5)
  expect(await messagesWith(edits)).toEqual([])
})

/** Each block of the section begins with a comment that says where its lines go. */
function linesOfNewOperation(): Edit[] {
  const page = readFileSync(join(SPEC, 'CONTRIBUTING.md'), 'utf8')
  const [, section = ''] = page.split('### A new operation\n')
  const [ownSection = ''] = section.split('\n### ')
  const blocks = [...ownSection.matchAll(/```yaml\n# ([^\n]+)\n([^`]+)```/g)]
  return blocks.map(([, where = '', lines = '']) => toEdit(where, lines.replaceAll('$', '$$$$')))
}

function toEdit(where: string, lines: string): Edit {
  const [file = ''] = where.match(/\S+\.yaml/) ?? []
  if (where.endsWith('at the top level')) return { file, pattern: '(?![^])', to: `\n${lines}` }

  if (where.includes('below the path of')) {
    const above = '  /mobile-bff/v1/pix/dict/check/: { $ref: paths/keys.yaml#/check }\n'
    return { file, text: above, to: above.replaceAll('$', '$$$$') + lines }
  }
  return { file, pattern: '^  keys: .*\\n', to: lines }
}

describe('a fact that a field of a response may lack', () => {
  const { value: facts } = readFiles(SPEC).facts

  it('wants the field, and that no response must have it', async () => {
    const faultsOf = await factsChecker()
    const messages = faultsOf(withField('fee?', facts)).map(({ message }) => message)
    expect(messages).toContain(
      'checkKey: the response 200 lacks the field /fee of facts.yaml; add it without a mark.',
    )
  })

  it('differs from one that each response has', async () => {
    const faultsOf = await factsChecker()
    const { ispb, ...others } = facts.responses.KeyCheck ?? {}
    const optional = { ...others, 'ispb?': ispb ?? 'string' }
    const responses = { ...facts.responses, KeyCheck: optional }
    const messages = faultsOf({ ...facts, responses }).map(({ message }) => message)
    expect(messages).toContain(
      'checkKey: "required" of the response 200 lists ispb, which facts.yaml does not require; mark "required" with its open question.',
    )
  })
})

function withField(name: string, facts: Facts): Facts {
  const fields = { ...facts.responses.KeyCheck, [name]: 'amount' }
  return { ...facts, responses: { ...facts.responses, KeyCheck: fields } }
}

async function messagesWith(edits: readonly Edit[]): Promise<string[]> {
  return withBroken(edits, async (spec) => {
    const { problems } = await lintSpec(spec)
    return problems.map(({ message }) => message)
  })
}
