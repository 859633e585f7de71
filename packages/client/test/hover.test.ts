import { fileURLToPath } from 'node:url'
import ts from 'typescript-5'
import { expect, it } from 'vitest'

const FILE = fileURLToPath(new URL('./hover.ts', import.meta.url))

const PROGRAM = `
import { createPayments } from '../src/index.ts'
const payments = createPayments({ baseUrl: '', auth: { clientKey: '', clientSecret: '' } })
const transfer = await payments.transfers.create({ type: 'emv', emv: '', amount: '10.50' })
const payee = await payments.keys.check('beltrana@example.com')
const paid = await payee.pay({ amount: '10.51' })
const code = await payments.codes.check('')
const charge = await payments.qrcodes.createImmediate({} as never)
const { data: charges } = await payments.qrcodes.listImmediate()
const users = await payments.users.list()
`

const service = ts.createLanguageService(hostOf(PROGRAM))

/** What an editor shows at a place of the program: the declaration, and its documentation. */
function hover(place: string): string {
  const info = service.getQuickInfoAtPosition(FILE, PROGRAM.indexOf(place))
  const declaration = ts.displayPartsToString(info?.displayParts)
  return `${declaration}\n${ts.displayPartsToString(info?.documentation)}`
}

it.each([
  { place: 'transfer =', declaration: 'const transfer: Transfer' },
  { place: 'paid =', declaration: 'const paid: Transfer' },
  { place: 'payee =', declaration: 'const payee: CheckedKey' },
  { place: 'code =', declaration: 'const code: CheckedCode' },
  { place: 'charge =', declaration: 'const charge: ImmediateQrCode' },
  { place: 'charges }', declaration: 'const charges: ImmediateQrCode[]' },
  { place: 'users =', declaration: 'const users: PartnerUsers' },
])('an editor names the type at $place', ({ place, declaration }) => {
  expect(hover(place).split('\n')[0]).toBe(declaration)
})

it.each([
  { place: 'baseUrl:', text: 'An absolute http or https URL' },
  { place: 'auth:', text: 'The credentials of the partner, or a function that returns a token' },
  { place: 'clientKey:', text: 'The user name of the sign-in' },
  { place: 'clientSecret:', text: 'never put it into a page or an app' },
  { place: "amount: '10.51'", text: "Reais with two decimals, such as '10.50'" },
  { place: 'create({', text: 'Prefer `pay` of what `codes.check`' },
])('an editor explains $place', ({ place, text }) => {
  expect(hover(place)).toContain(text)
})

it('the types of the contract have short names', () => {
  const source = ts.sys.readFile(
    fileURLToPath(new URL('../src/generated/contract.ts', import.meta.url)),
  )
  expect(source).toContain('export type Transfer = {')
  expect(source).not.toMatch(/components\[["']schemas/)
})

/** The program beside the sources of the package, with its compiler options. */
function hostOf(program: string): import('typescript-5').LanguageServiceHost {
  return {
    getScriptFileNames: () => [FILE],
    getScriptVersion: () => '1',
    getScriptSnapshot(file) {
      const text = file === FILE ? program : ts.sys.readFile(file)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => fileURLToPath(new URL('..', import.meta.url)),
    getCompilationSettings: () => ({
      strict: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    }),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
  }
}
