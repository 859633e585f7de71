import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** A project as the tool of a framework creates it, as far as TypeScript reads it. */
export interface Template {
  readonly name: string
  /** Where the settings come from. */
  readonly source: string
  /** The receiver in `docs/receivers`. */
  readonly receiver: string
  readonly compilerOptions: Readonly<Record<string, unknown>>
  /** How a file of the project is imported: `./inbox` with this at its end. */
  readonly extension: '' | '.js' | '.ts'
  /** Packages with global types that the template installs. */
  readonly types: readonly string[]
  /** The compiler that the template installs, if that is not TypeScript 7. */
  readonly compiler?: 'typescript-5'
}

const NEXT = {
  compiler: 'typescript-5',
  source: 'create-next-app 16.4.3, templates/app/ts/tsconfig.json',
  compilerOptions: {
    target: 'es2017',
    lib: ['dom', 'dom.iterable', 'esnext'],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: 'react-jsx',
  },
  extension: '',
  types: ['node'],
} as const

export const TEMPLATES: readonly Template[] = [
  { name: 'Next.js', receiver: 'next.ts', ...NEXT },
  { name: 'Next.js, edge', receiver: 'next-edge.ts', ...NEXT },
  {
    name: 'Express',
    source: 'no template of its own: tsc --init of TypeScript 7, with the types of Node',
    receiver: 'express.ts',
    compilerOptions: {
      module: 'nodenext',
      target: 'esnext',
      sourceMap: true,
      declaration: true,
      declarationMap: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      strict: true,
      jsx: 'react-jsx',
      verbatimModuleSyntax: true,
      isolatedModules: true,
      noUncheckedSideEffectImports: true,
      moduleDetection: 'force',
      skipLibCheck: true,
    },
    extension: '.js',
    types: ['node'],
  },
  {
    name: 'Fastify',
    source: 'fastify-cli 8.0.2, templates/app-ts-esm, with fastify-tsconfig 3.0.0',
    receiver: 'fastify.ts',
    compilerOptions: {
      target: 'esnext',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      esModuleInterop: true,
      strict: true,
      resolveJsonModule: true,
      noUnusedLocals: true,
      noFallthroughCasesInSwitch: true,
      isolatedModules: true,
      forceConsistentCasingInFileNames: true,
      skipLibCheck: true,
      lib: ['esnext'],
      allowImportingTsExtensions: true,
      rewriteRelativeImportExtensions: true,
      verbatimModuleSyntax: true,
      erasableSyntaxOnly: true,
    },
    extension: '.ts',
    types: ['node'],
  },
  {
    name: 'Hono',
    source: 'create-hono, github.com/honojs/starter, templates/nodejs/tsconfig.json',
    receiver: 'hono.ts',
    compilerOptions: {
      target: 'esnext',
      module: 'nodenext',
      strict: true,
      verbatimModuleSyntax: true,
      skipLibCheck: true,
      jsx: 'react-jsx',
      jsxImportSource: 'hono/jsx',
    },
    extension: '.js',
    types: ['node'],
  },
  {
    name: 'Lambda',
    source: 'sam init, github.com/aws/aws-sam-cli-app-templates, nodejs22.x, tsconfig.json',
    receiver: 'lambda.ts',
    compilerOptions: {
      target: 'es2022',
      module: 'commonjs',
      lib: ['es2022'],
      strict: true,
      esModuleInterop: true,
      skipLibCheck: true,
      forceConsistentCasingInFileNames: true,
      resolveJsonModule: true,
      moduleResolution: 'node',
    },
    extension: '',
    types: ['node', 'aws-lambda'],
    compiler: 'typescript-5',
  },
  {
    name: 'Bun',
    source: 'bun init of Bun 1.4.5',
    receiver: 'bun.ts',
    compilerOptions: {
      lib: ['esnext'],
      target: 'esnext',
      module: 'preserve',
      moduleDetection: 'force',
      jsx: 'react-jsx',
      allowJs: true,
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      noFallthroughCasesInSwitch: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
    },
    extension: '.ts',
    types: ['bun'],
  },
  {
    name: 'Deno',
    source: 'the defaults of deno check 2.9, docs.deno.com/runtime/fundamentals/typescript',
    receiver: 'deno.ts',
    compilerOptions: {
      lib: ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
      target: 'esnext',
      module: 'nodenext',
      moduleDetection: 'force',
      strict: true,
      noImplicitOverride: true,
      allowImportingTsExtensions: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      skipLibCheck: true,
    },
    extension: '.ts',
    types: ['node', 'deno'],
  },
  {
    name: 'Cloudflare Workers',
    source: 'create-cloudflare 2.67.4, templates/hello-world/ts/tsconfig.json',
    receiver: 'workers.ts',
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024'],
      jsx: 'react-jsx',
      module: 'es2022',
      moduleResolution: 'bundler',
      resolveJsonModule: true,
      allowJs: true,
      checkJs: false,
      noEmit: true,
      isolatedModules: true,
      allowSyntheticDefaultImports: true,
      forceConsistentCasingInFileNames: true,
      strict: true,
      skipLibCheck: true,
    },
    extension: '',
    types: ['@cloudflare/workers-types'],
    compiler: 'typescript-5',
  },
]

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
