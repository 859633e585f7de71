import { expect, it } from 'vitest'
import { SPEC } from '../build/build.ts'
import { copySpec } from './broken.ts'
import { expectReportedOnce, listMessages, mistakes } from './mistakes.ts'

const withBroken = copySpec()

it('finds no problem in the unchanged contract', async () => {
  expect(await listMessages(SPEC)).toEqual([])
})

/** Every third mistake. All of them are made at night. */
const SAMPLE = mistakes.filter((_, index) => index % 3 === 0)

it.each(SAMPLE)('reports once that $what', (mistake) => expectReportedOnce(mistake, withBroken))

it('reports two mistakes with the same message', async () => {
  const edits = [
    { file: 'paths/keys.yaml', text: '        description: The key and its owner.\n', to: '' },
    { file: 'paths/users.yaml', text: '        description: The users.\n', to: '' },
  ]
  await withBroken(edits, async (spec) => {
    const says = '"200" lacks the field "description"; add it.'
    expect(await listMessages(spec)).toEqual([
      expect.stringMatching(`^paths/keys.yaml:.* ${says}$`),
      expect.stringMatching(`^paths/users.yaml:.* ${says}$`),
    ])
  })
})

it('reports a field that is missing while another one is misplaced', async () => {
  const indented =
    /^ {6}content:\n {8}application.json:\n {10}schema: (.*CheckKeyRequest \})\n {10}examples:\n {12}(.*)\n {12}(.*)/
  const edits = [
    {
      file: 'paths/keys.yaml',
      pattern: indented.source,
      to: '    content:\n      application/json:\n        schema: $1\n        examples:\n          $2\n          $3',
    },
    { file: 'paths/users.yaml', text: '        description: The users.\n', to: '' },
  ]
  await withBroken(edits, async (spec) => {
    expect(await listMessages(spec)).toEqual([
      expect.stringContaining('"content" is not a field here; indent it below "requestBody".'),
      expect.stringContaining('"200" lacks the field "description"; add it.'),
    ])
  })
})
