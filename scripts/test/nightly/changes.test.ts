import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Program } from '@partner-payments/programs'
import { SPEC } from '@partner-payments/spec/build'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { changesSince } from '../../changes.ts'

const CHANGES = fileURLToPath(new URL('../../changes.ts', import.meta.url))
const LEFT_OUT = ['node_modules', 'dist', '.turbo']
const spec = mkdtempSync(join(tmpdir(), 'released-'))

beforeAll(() => {
  cpSync(SPEC, spec, { recursive: true, filter: (source) => !LEFT_OUT.includes(basename(source)) })
  git('init', '--quiet')
  git('add', '.')
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
  git(...author, 'commit', '--quiet', '--message', 'release')
})
beforeEach(() => git('checkout', '--quiet', '.'))
afterAll(() => rmSync(spec, { recursive: true, force: true }))

it('finds nothing before the first release, and nothing in an unchanged contract', async () => {
  expect(await changes()).toMatchObject({ code: 0, stderr: expect.stringContaining('No release') })
  git('tag', 'v0.1.0')
  const stdout = '## Changes of the contract since v0.1.0\n\nNo changes.\n'
  expect(await changes()).toEqual({ code: 0, stdout, stderr: '' })
})

it('lists breaking and safe changes by operation, of events and short paths too, and exits with 1', async () => {
  edit('schemas/codes.yaml', /^ {4}revision:\n(?: {6}.*\n)+/m, '')
  edit('schemas/codes.yaml', /^ {4}- revision\n/m, '')
  edit('guide.yaml', '  /pix/key:', '  /pix/keys:')
  edit(
    'schemas/transfers.yaml',
    'initiation_id, dict_key]',
    'initiation_id, dict_key, description]',
  )
  edit('schemas/qrcodes.yaml', "'5', '6']", "'5', '6', '7']")
  edit('openapi.yaml', /^ {2}qrcode.paid: .*\n/m, '')
  const found = await changes('HEAD')
  expect(found.code).toBe(1)
  expect(found.stdout).toMatchInlineSnapshot(`
    "## Changes of the contract since HEAD

    ### Breaking

    #### \`checkCode\`, \`checkCode\` (short path)

    - response 200: Properties are no longer required: \`revision\`.
    - response 200, \`revision\`: Property \`revision\` was removed.

    #### \`createTransfer\`, \`createTransfer\` (short path)

    - request body: Properties of \`dict\` became required: \`description\`.

    #### event \`qrcode.paid\`

    - operation: Webhook \`qrcode.paid\` was removed.

    #### \`checkKey\` (short path)

    - operation: Path \`/pix/key\` was renamed to \`/pix/keys\`.

    ### Safe

    #### \`createDueDateQrCode\`

    - request body, \`amount.discount.modality\`: \`enum\` gained \`7\`
    "
  `)
})

it('finds that an operation was removed whose path keeps another one', async () => {
  edit('paths/webhooks.yaml', /^ {2}delete:\n(?: {4}.*\n|\n(?= ))+/m, '')
  const { isBreaking, markdown } = await changesSince('HEAD', spec)
  expect(isBreaking).toBe(true)
  expect(markdown).toContain('#### `deleteWebhook`')
  expect(markdown).toMatch(/removed/)
})

it('finds that all changes are safe: wording, an optional field, an error code', async () => {
  edit('schemas/auth.yaml', '    user_id:\n', '    locale: { type: string }\n    user_id:\n')
  edit('schemas/errors.yaml', /^ +- malformed_body\n/m, '$&    - another_code\n')
  edit('paths/keys.yaml', /summary: .*/, 'summary: Another summary')
  const { isBreaking, markdown } = await changesSince('HEAD', spec)
  expect(isBreaking).toBe(false)
  expect(markdown).toMatchInlineSnapshot(`
    "### Breaking: none

    ### Safe

    #### \`impersonate\`

    - request body, \`locale\`: added
    - errors, \`code\`: Enum of \`code\` gained values: 'another_code'.

    #### \`signIn\`, \`listUsers\`, \`getUser\`, \`createWebhook\`, \`listWebhooks\`, \`deleteWebhook\`, \`getWebhook\`, \`updateWebhook\`, \`rotateWebhookSecret\`, \`checkCode\`, \`createTransfer\`, \`listDueDateQrCodes\`, \`createDueDateQrCode\`, \`cancelDueDateQrCode\`, \`listImmediateQrCodes\`, \`createImmediateQrCode\`, \`cancelImmediateQrCode\`, \`createStaticQrCode\`, \`listWebhooks\` (short path), \`createWebhook\` (short path), \`checkCode\` (short path), \`checkKey\` (short path), \`createTransfer\` (short path)

    - errors, \`code\`: Enum of \`code\` gained values: 'another_code'.

    #### \`checkKey\`

    - descriptions, examples or marks changed
    - errors, \`code\`: Enum of \`code\` gained values: 'another_code'.
    "
  `)
})

it('exits with 2 if a contract cannot be bundled', async () => {
  edit('paths/keys.yaml', 'schemas/keys.yaml#/KeyCheck', 'schemas/keys.yaml#/KeyChek')
  const found = await changes('HEAD')
  expect(found).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('openapi.yaml could not be bundled'),
  })
})

function changes(...args: readonly string[]) {
  return new Program(process.execPath, [CHANGES, '--spec', spec, ...args]).ended
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: spec, stdio: 'pipe' })
}

function edit(file: string, from: string | RegExp, to: string): void {
  const path = join(spec, file)
  const text = readFileSync(path, 'utf8')
  expect(text).toMatch(from)
  writeFileSync(path, text.replace(from, to))
}
