import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Bytes of an SBOM. That of the command line has 240 packages. */
const MAX_OUTPUT = 64_000_000
/** The project that installs a tarball. npm needs a version of it. */
const PROJECT = { name: 'install', version: '0.0.0', private: true }

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly externalReferences: readonly { readonly type: string }[]
}

/** The parts of CycloneDX that are changed. */
interface Bom {
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string }[]
}

/**
 * Makes the SBOM (CycloneDX) of a tarball from an install of it. So it has the versions that npm
 * chooses, without our lockfile and overrides, and the hashes of their tarballs.
 *
 * @param name of the package in the tarball
 * @returns JSON
 */
export async function createSbom(tarball: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-'))
  try {
    await writeFile(join(folder, 'package.json'), JSON.stringify(PROJECT))
    await runNpm(folder, 'install', '--ignore-scripts', '--no-audit', '--no-fund', tarball)
    const { stdout } = await runNpm(folder, 'sbom', '--sbom-format', 'cyclonedx')
    return `${JSON.stringify(aboutPackage(JSON.parse(stdout), name), null, 2)}\n`
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runNpm(cwd: string, ...args: readonly string[]) {
  // On Windows `npm` is a batch file, which cannot be started without a shell.
  const shell = process.platform === 'win32'
  return run('npm', [...args, '--loglevel=error'], { cwd, shell, maxBuffer: MAX_OUTPUT })
}

/** The SBOM with the package as its subject, instead of the project that only installed it. */
function aboutPackage(bom: Bom, name: string): Bom {
  const subject = bom.components.find((component) => component.name === name)
  if (!subject) throw new Error(`the SBOM of an install of ${name} does not name it`)

  const project = bom.metadata.component['bom-ref']
  return {
    ...bom,
    metadata: { ...bom.metadata, component: withoutPlace(subject) },
    components: bom.components.filter((component) => component !== subject),
    dependencies: bom.dependencies.filter(({ ref }) => ref !== project),
  }
}

/** The place of a tarball is on this machine. */
function withoutPlace(component: Component): Component {
  const { externalReferences: references } = component
  return {
    ...component,
    externalReferences: references.filter(({ type }) => type !== 'distribution'),
  }
}
