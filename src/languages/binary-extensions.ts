import { wordSet } from './words.js';

/** Extensions of files that are never text. */
export const BINARY_EXTENSIONS: ReadonlySet<string> = wordSet(
  'png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai eps raw jxl xcf sketch fig ' +
    'mp3 mp4 m4a m4v mov avi mkv webm wav flac ogg oga ogv opus aac wma wmv mpg mpeg mid midi ' +
    'zip gz tgz bz2 xz zst 7z rar tar lz lz4 lzma br cab iso dmg pkg deb rpm apk aab ipa whl egg jar war ear nupkg gem crx xpi ' +
    'woff woff2 ttf otf eot fon ' +
    'pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi pages numbers key ' +
    'exe dll so dylib a o obj lib bin com msi class pyc pyo pyd elc beam wasm node ko rlib rmeta pdb ilk exp gch pch dex ' +
    'db sqlite sqlite3 mdb accdb dbf parquet arrow feather orc avro pkl pickle npy npz h5 hdf5 onnx pt pth safetensors tflite gguf mat rdata rds ' +
    'blend fbx glb 3ds max stl usdz uasset umap unitypackage swf fla ' +
    'p12 pfx jks keystore der crt cer gpg pgp snap img vmdk qcow2 vdi pack idx swp dat',
);
