import type { Catalogue } from '../ports/catalogue.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { ImageAnalyser } from '../ports/image-analyser.ts';
import type { ImageStore } from '../ports/image-store.ts';
import type { SearchIndex } from '../ports/search-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

/** What the use cases work with. */
export interface LibraryPorts {
  catalogue: Catalogue;
  search: SearchIndex;
  vectors: VectorIndex;
  embedder: Embedder;
  images: ImageStore;
  analyser: ImageAnalyser;
}
