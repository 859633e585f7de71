import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { generate } from 'orval'

// A separate process, since generators write to stdout and the two lines below change the process.

const contract = fileURLToPath(import.meta.resolve('@partner-payments/spec/openapi.json'))

// kubb always writes below the working directory.
process.chdir(import.meta.dirname)
await generateOrval()
await generateKubb()
await generateHeyApi()

/** The default of orval, except that each function takes `fetch` as an argument. */
function generateOrval() {
  const override = { fetch: { useRuntimeFetcher: true } }
  return generate({
    input: { target: contract },
    output: { target: 'generated/orval/client.ts', client: 'fetch', override },
  })
}

function generateKubb() {
  const plugins = [
    pluginOas({ generators: [] }),
    pluginTs({ output: { path: 'types' } }),
    pluginClient({ output: { path: 'clients' }, client: 'fetch', bundle: true }),
  ]
  return build({
    config: {
      root: '.',
      input: { path: contract },
      output: { path: 'generated/kubb', clean: true },
      plugins,
    },
  })
}

async function generateHeyApi() {
  giveTypeScript5()
  const { createClient } = await import('@hey-api/openapi-ts')
  await createClient({
    input: contract,
    output: { path: 'generated/hey-api', importFileExtension: '.ts' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
}

/** hey-api would resolve TypeScript 7 of this package, which lacks the API that it needs. */
function giveTypeScript5() {
  const url = import.meta.resolve('typescript-5')
  registerHooks({
    resolve: (specifier, context, next) => next(specifier === 'typescript' ? url : specifier, context),
  })
}
