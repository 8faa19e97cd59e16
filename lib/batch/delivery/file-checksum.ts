/** Checks the bytes of a stored file against its manifest's checksums, incrementally. */

import type { Hash, Hashing } from '../ports.ts';
import type { FilePart, ManifestFile } from './manifest.ts';

export class FileChecksum {
  readonly #file: ManifestFile;
  readonly #parts: readonly FilePart[];
  readonly #hashing: Hashing;
  #hash: Hash;
  /** The part whose bytes come next, and how many of them were added. */
  #part = 0;
  #partBytes = 0;
  #bytes = 0;
  #problem: string | undefined;

  constructor(file: ManifestFile, hashing: Hashing) {
    this.#file = file;
    this.#parts = file.parts ?? [{ bytes: file.bytes, sha256: file.sha256 ?? '' }];
    this.#hashing = hashing;
    this.#hash = hashing.sha256();
  }

  update(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    // Of too many bytes, `problem` reports the length.
    for (let rest = bytes; rest.length > 0 && this.#part < this.#parts.length; ) {
      const part = rest.subarray(0, this.#parts[this.#part]!.bytes - this.#partBytes);
      this.#hash.update(part);
      this.#partBytes += part.length;
      rest = rest.subarray(part.length);
      if (this.#partBytes === this.#parts[this.#part]!.bytes) this.#endPart();
    }
  }

  /** How all bytes together differ from the manifest, as a sentence; undefined if they match. */
  problem(): string | undefined {
    const name = this.#file.key ?? this.#file.name;
    if (this.#bytes !== this.#file.bytes) {
      return `${name} has ${this.#bytes} bytes; the manifest says ${this.#file.bytes}`;
    }
    while (this.#part < this.#parts.length) this.#endPart();
    return this.#problem;
  }

  #endPart(): void {
    const expected = this.#parts[this.#part]!.sha256;
    const found = this.#hash.hex();
    if (found !== expected) {
      const name = this.#file.key ?? this.#file.name;
      const which = this.#parts.length > 1 ? `, part ${this.#part + 1} of ${this.#parts.length},` : '';
      this.#problem ??= `${name}${which} has SHA-256 ${found}; the manifest says ${expected}`;
    }
    this.#part++;
    this.#partBytes = 0;
    this.#hash = this.#hashing.sha256();
  }
}
