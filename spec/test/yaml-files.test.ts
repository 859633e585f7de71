import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { copySpec } from '../answer/answer.ts'
import { type Place, YamlFiles } from '../answer/yaml-files.ts'
import { SPEC } from '../build/build.ts'

const spec = copySpec(SPEC)
afterAll(() => rmSync(spec, { recursive: true }))
const files = new YamlFiles(spec)

const SENTENCE = `A sentence that is ${'far '.repeat(30)}too long for a line of the contract.`
const PATTERN = `^(${'[0-9]{4}-[A-Z]{2}\\.|'.repeat(10)}x)$`

const EDITS: readonly {
  readonly title: string
  readonly place: Place
  readonly expected: unknown
  edit(place: Place): void
}[] = [
  {
    title: 'a sentence',
    place: inSchemas('values.yaml', 'Id', 'x-assumed', 'identifiers'),
    expected: SENTENCE,
    edit: (place) => files.set(place, SENTENCE),
  },
  {
    title: 'a pattern without spaces',
    place: inSchemas('values.yaml', 'TaxId', 'pattern'),
    expected: PATTERN,
    edit: (place) => files.set(place, PATTERN),
  },
  {
    title: 'a field that is added to braces',
    place: inSchemas('webhooks.yaml', 'WebhookTypeInput', 'x-assumed', 'note'),
    expected: SENTENCE,
    edit: ({ file, path }) => files.add({ file, path: path.slice(0, -1) }, 'note', SENTENCE),
  },
  {
    title: 'a field that is added to lines',
    place: inSchemas('qrcodes.yaml', 'Adjustment', 'properties', 'note'),
    expected: { type: 'string', description: SENTENCE },
    edit: ({ file, path }) =>
      files.add({ file, path: path.slice(0, -1) }, 'note', {
        type: 'string',
        description: SENTENCE,
      }),
  },
  {
    title: 'a list',
    place: inSchemas('users.yaml', 'User', 'properties', 'status', 'enum'),
    expected: Array.from({ length: 12 }, (_, index) => `a_long_word_of_a_service_${index}`),
    edit: (place) =>
      files.set(
        place,
        Array.from({ length: 12 }, (_, index) => `a_long_word_of_a_service_${index}`),
      ),
  },
  {
    title: 'a sentence of one line in which a word becomes longer',
    place: inSchemas('qrcodes.yaml', 'QrCodeStatus', 'description'),
    expected: expect.stringContaining('stays AGUARDANDO_O_PAGAMENTO_DO_PAGADOR,'),
    edit: (place) => files.replaceWords(place, /ATIVA/g, 'AGUARDANDO_O_PAGAMENTO_DO_PAGADOR'),
  },
]

it.each(EDITS)('writes $title without a long line', ({ place, expected, edit }) => {
  edit(place)
  expect(files.value(place)).toEqual(expected)
  const lines = readFileSync(join(spec, place.file), 'utf8').split('\n')
  expect(lines.filter((line) => line.length > 120)).toEqual([])
})

it('writes lists in braces without spaces in their brackets', () => {
  const properties = inSchemas('users.yaml', 'User', 'properties')
  files.add(properties, 'note', { type: ['string', 'null'] })
  expect(readFileSync(join(spec, 'schemas/users.yaml'), 'utf8')).toContain(
    "note: { type: [string, 'null'] }",
  )
})

it('adds a field to empty braces', () => {
  const properties = inSchemas('users.yaml', 'User', 'properties')
  files.add(properties, 'tags', {})
  files.add(inSchemas('users.yaml', 'User', 'properties', 'tags'), 'type', 'string')
  expect(readFileSync(join(spec, 'schemas/users.yaml'), 'utf8')).toContain('tags: { type: string }')
})

it('removes the first field of an item of a list, and keeps the item', () => {
  const errors = { file: 'examples/errors.yaml', path: ['invalidRequest', 'value', 'errors'] }
  const removeField = (name: string) =>
    files.remove({ ...errors, path: [...errors.path, '0', name] })

  removeField('pointer')
  expect(files.value(errors)).toEqual([{ code: 'pattern', detail: expect.any(String) }])

  removeField('detail')
  removeField('code')
  expect(files.value(errors)).toEqual([])
})

function inSchemas(file: string, ...path: readonly string[]): Place {
  return { file: `schemas/${file}`, path }
}
