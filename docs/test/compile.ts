import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Template } from './templates.ts'

const DOCS = join(import.meta.dirname, '..')
const WEBHOOKS = join(DOCS, '../packages/webhooks')

// Below docs, whose packages it then finds.
mkdirSync(join(DOCS, 'node_modules/.templates'), { recursive: true })
const folder = mkdtempSync(join(DOCS, 'node_modules/.templates/'))

/** Call it before the first of `errorsIn`. Returns a function that removes the projects. */
export function preparePackage(): () => void {
  execFileSync(process.execPath, [join(DOCS, '../scripts/emit.ts')], { cwd: WEBHOOKS })
  installPacked()
  return () => rmSync(folder, { recursive: true, force: true })
}

/** The package as it is published, without the rest of the workspace. */
function installPacked(): void {
  const home = join(folder, 'node_modules/@partner-payments/webhooks')
  const { publishConfig, ...manifest } = JSON.parse(
    readFileSync(join(WEBHOOKS, 'package.json'), 'utf8'),
  )
  cpSync(join(WEBHOOKS, 'dist'), join(home, 'dist'), { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ ...manifest, ...publishConfig }))
}

/** What `wrangler types` writes for the bindings of a Worker. */
const BINDINGS = `
declare namespace Cloudflare {
  interface Env {
    WEBHOOK_SECRETS: string
    INBOX: D1Database
  }
}
`

/** What the compiler says about the receiver, in a project with the settings of the template. */
export async function errorsIn(template: Template): Promise<string> {
  const project = mkdtempSync(join(folder, 'project-'))
  for (const file of [template.receiver, 'inbox.ts', 'web.ts', 'keep.ts']) {
    writeFileSync(join(project, file), sourceFor(template, file))
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(project, 'bindings.d.ts'), template.name.includes('Workers') ? BINDINGS : '')
  const { types } = template
  const compilerOptions = { ...template.compilerOptions, types, noEmit: true }
  const settings = { compilerOptions, files: [template.receiver, 'bindings.d.ts'] }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(settings))

  const { compiler = 'typescript' } = template
  const home = dirname(fileURLToPath(import.meta.resolve(`${compiler}/package.json`)))
  const compiling = promisify(execFile)(process.execPath, [join(home, 'bin/tsc'), '-p', project])
  return compiling.then(
    () => '',
    ({ stdout }) => stdout,
  )
}

/** The file with imports as the project writes them. */
function sourceFor({ extension }: Template, file: string): string {
  const source = readFileSync(join(DOCS, 'receivers', file), 'utf8')
  return source.replace(/from '\.\/(\w+)\.ts'/g, `from './$1${extension}'`)
}
