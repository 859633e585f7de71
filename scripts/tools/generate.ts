/**
 * `node generate.ts <contract> <folder>` writes the clients that orval, kubb and hey-api generate
 * of a contract. A program of its own, since generators write to stdout.
 */
import { createClient } from '@hey-api/openapi-ts'
import { build } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
import { generate } from 'orval'

const [contract = '', folder = ''] = process.argv.slice(2)

// kubb always writes below the working directory.
process.chdir(folder)
await generateOrval()
await generateKubb()
await generateHeyApi()

/** The default of orval, except that each function takes `fetch` as an argument. */
function generateOrval() {
  const override = { fetch: { useRuntimeFetcher: true } }
  return generate({
    input: { target: contract },
    output: { target: 'orval/client.ts', client: 'fetch', override },
  })
}

/** Generates a client of the contract with Kubb. */
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
      output: { path: 'kubb', clean: true },
      plugins,
    },
  })
}

/** Generates a client of the contract with Hey API. */
function generateHeyApi() {
  return createClient({
    input: contract,
    output: { path: 'hey-api', importFileExtension: '.ts' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent', file: false },
  })
}
