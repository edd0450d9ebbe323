import { useRef, useState } from 'react';

export interface PictureUpload {
  id: number;
  file: File;
  /** How much was sent; 1 while the server decodes it. */
  share: number;
  error?: unknown;
}

/** Sends pictures one after the other, so that they arrive in their order. */
export function usePictureUploads(send: (file: File, onProgress: (share: number) => void) => Promise<unknown>) {
  const [uploads, setUploads] = useState<readonly PictureUpload[]>([]);
  const queue = useRef(Promise.resolve());
  const lastId = useRef(0);

  const change = (id: number, changed: Partial<PictureUpload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  const dismiss = (id: number) => setUploads((all) => all.filter((each) => each.id !== id));

  function add(files: readonly File[]) {
    for (const file of files) {
      const id = ++lastId.current;
      setUploads((all) => [...all, { id, file, share: 0 }]);
      queue.current = queue.current.then(async () => {
        try {
          await send(file, (share) => change(id, { share }));
          dismiss(id);
        } catch (error) {
          change(id, { error });
        }
      });
    }
  }

  return {
    uploads,
    add,
    dismiss,
    retry({ id, file }: PictureUpload) {
      dismiss(id);
      add([file]);
    },
  };
}

export type PictureUploads = ReturnType<typeof usePictureUploads>;
