// Issues that users wrote, with the files of their fix, for `npm run bench -- ranking --paraphrases DIR`. Each is asked at the parent of the fix, so
// neither the code nor the history knows it. Titles are other people's text: DIR/titles.json has them, as `{"owner/name#number": "title"}`.
// Right are the files here: code that the fix changed, without tests, catalogues and changelogs. Even numbers are for choosing (A), odd ones for judging (B).

export const ISSUES = [
  {
    repository: 'JosefNemec/Playnite',
    language: 'csharp',
    issues: {
      1389: [
        'df52f03d3d5b',
        'source/Playnite/Common/ProcessMonitor.cs',
        'source/Playnite/Controllers/GenericGameController.cs',
      ],
      2395: ['d81989419bd5', 'source/Playnite/Common/Computer.cs'],
      3328: ['43a747b64d0e', 'source/Playnite/GamesEditor.cs'],
      3375: ['673a38d1f851', 'source/Playnite.FullscreenApp/FullscreenApplication.cs'],
      3738: ['a8264d3a0f7a', 'source/Playnite/Controllers/GenericGameController.cs'],
      4064: ['c405080b270f', 'source/Playnite.FullscreenApp/ViewModels/FullscreenAppViewModel.cs'],
    },
  },
  {
    repository: 'strawberrymusicplayer/strawberry',
    language: 'cpp',
    issues: {
      1178: ['db2d34f8408c', 'src/widgets/favoritewidget.cpp', 'src/widgets/favoritewidget.h'],
      1328: ['135b93a5afb5', 'src/widgets/stretchheaderview.cpp'],
      1349: ['8d1a0071b654', 'src/playlist/playlist.cpp'],
      1469: ['ff6e93fc1528', 'src/collection/collectionwatcher.cpp'],
      1478: ['08224443e3ee', 'src/core/mainwindow.cpp'],
      1480: ['ac959387fe1e', 'src/widgets/stretchheaderview.cpp', 'src/widgets/stretchheaderview.h'],
      1573: ['a8d1bf7e739c', 'src/collection/collectionmodel.cpp', 'src/collection/collectionmodel.h'],
      1615: ['dc5894b38aa8', 'src/collection/collectionwatcher.cpp', 'src/collection/collectionwatcher.h'],
      1690: ['d68f46426992', 'src/playlist/playlist.cpp'],
      1819: ['fe4d9979cec2', 'src/collection/collectionwatcher.cpp'],
      1838: ['0827ec7f16e6', 'src/playlist/playlistsequence.cpp'],
    },
  },
  {
    repository: 'johannesjo/super-productivity',
    language: 'typescript',
    issues: {
      5104: ['ff53beb1a5cf', 'src/app/core-ui/magic-side-nav/magic-nav-config.service.ts'],
      5115: [
        '6411782b384d',
        'src/app/core-ui/layout/layout.service.ts',
        'src/app/core-ui/magic-side-nav/magic-side-nav.component.ts',
        'src/app/core-ui/shortcut/shortcut.service.ts',
      ],
      5374: ['97b7267bd651', 'src/app/root-store/meta/task-shared-meta-reducers/task-shared-scheduling.reducer.ts'],
      5772: [
        '2c910f6753cf',
        'android/app/src/main/java/com/superproductivity/superproductivity/service/TrackingForegroundService.kt',
        'android/app/src/main/java/com/superproductivity/superproductivity/webview/JavaScriptInterface.kt',
      ],
      5840: ['55d4fd1520ad', 'src/app/core/global-tracking-interval/global-tracking-interval.service.ts'],
      5862: ['635083ef76cc', 'src/app/core/date-time-format/date-time-format.service.ts'],
    },
  },
  {
    repository: 'gotson/komga',
    language: 'kotlin',
    issues: {
      1385: [
        'e08cea854929',
        'komga/src/main/kotlin/org/gotson/komga/infrastructure/mediacontainer/epub/EpubExtractor.kt',
      ],
      1610: ['bf71f8e505b0', 'komga/src/main/kotlin/org/gotson/komga/infrastructure/jooq/main/PageHashDao.kt'],
      1835: [
        '681337af63c5',
        'komga/src/main/kotlin/org/gotson/komga/infrastructure/mediacontainer/epub/EpubExtractor.kt',
      ],
      2118: [
        'f8ca936ee7ff',
        'komga/src/main/kotlin/org/gotson/komga/infrastructure/mediacontainer/epub/EpubExtractor.kt',
      ],
      2285: [
        '7c0066136599',
        'komga/src/main/kotlin/org/gotson/komga/interfaces/api/OpdsGenerator.kt',
        'komga/src/main/kotlin/org/gotson/komga/interfaces/api/opds/v2/Opds2Controller.kt',
      ],
      2289: [
        '4a7d9a6510f4',
        'komga/src/main/kotlin/org/gotson/komga/infrastructure/kobo/KoboProxy.kt',
        'komga/src/main/kotlin/org/gotson/komga/interfaces/api/kobo/KoboController.kt',
      ],
    },
  },
  {
    repository: 'qutebrowser/qutebrowser',
    language: 'python',
    issues: {
      6266: ['b1e668f15b77', 'qutebrowser/browser/webengine/webengineinspector.py'],
      7165: ['3d953009baa2', 'qutebrowser/browser/inspector.py'],
      8679: ['26368f0b900c', 'qutebrowser/browser/webengine/webenginetab.py'],
    },
  },
  {
    repository: 'mpv-player/mpv',
    language: 'c',
    issues: {
      10898: ['02b49458a373', 'video/out/vulkan/context.c'],
      12102: ['a9c0ad149f70', 'audio/decode/ad_spdif.c'],
      13794: ['951153e73375', 'audio/decode/ad_spdif.c'],
      17525: ['4a815734e3d1', 'player/playloop.c'],
    },
  },
  {
    repository: 'JabRef/jabref',
    language: 'java',
    issues: {
      10348: [
        '9bed170c4d29',
        'src/main/java/org/jabref/logic/importer/fetcher/GvkFetcher.java',
        'src/main/java/org/jabref/logic/importer/fetcher/isbntobibtex/IsbnFetcher.java',
        'src/main/java/org/jabref/logic/importer/fileformat/PicaXmlParser.java',
      ],
      11413: [
        'fef856018a77',
        'src/main/java/org/jabref/logic/importer/ImportFormatReader.java',
        'src/main/java/org/jabref/logic/importer/fileformat/MedlinePlainImporter.java',
        'src/main/java/org/jabref/model/entry/field/StandardField.java',
      ],
      11488: ['234ee2e808a7', 'src/main/java/org/jabref/logic/importer/fileformat/MedlinePlainImporter.java'],
      12462: ['b4c48efa769b', 'src/main/java/org/jabref/gui/autosaveandbackup/BackupManager.java'],
      14771: [
        'b4d8df13e82a',
        'jabgui/src/main/java/org/jabref/gui/fieldeditors/LinkedFileViewModel.java',
        'jablib/src/main/java/org/jabref/logic/util/io/FileUtil.java',
      ],
    },
  },
  {
    repository: 'activeadmin/activeadmin',
    language: 'ruby',
    issues: {
      3539: ['9f83674d3f05', 'lib/active_admin/error.rb', 'lib/active_admin/resource_controller.rb'],
      4342: ['2c1862dcb793', 'lib/active_admin/filters/active.rb'],
      4757: ['34db35dd18fc', 'lib/active_admin/filters/resource_extension.rb'],
      5010: ['3e2ef8f3d642', 'lib/active_admin/csv_builder.rb'],
    },
  },
  {
    repository: 'firefly-iii/firefly-iii',
    language: 'php',
    issues: {
      8497: [
        '3543548ba00e',
        'app/Http/Controllers/Rule/SelectController.php',
        'app/Repositories/Rule/RuleRepository.php',
      ],
      8927: ['46b780758ee8', 'app/Http/Controllers/Transaction/ConvertController.php'],
      9009: ['41af1c863a2f', 'app/Http/Controllers/Json/ReconcileController.php'],
      9305: ['1bff966bfed0', 'app/Jobs/CreateRecurringTransactions.php'],
      10678: [
        'ec9ba53690f8',
        'app/Http/Controllers/Report/BudgetController.php',
        'app/Repositories/Budget/OperationsRepository.php',
      ],
      11337: ['f6037318f4f0', 'app/Http/Controllers/ProfileController.php'],
      11752: ['6eb14f8a9675', 'app/Support/Search/OperatorQuerySearch.php'],
      11757: ['b383ac1a9525', 'config/auth.php'],
      11792: ['9b05c777cd5c', 'app/Helpers/Attachments/AttachmentHelper.php'],
      11873: [
        '8ecfa4b6194d',
        'app/Http/Controllers/PiggyBank/AmountController.php',
        'app/Repositories/PiggyBank/PiggyBankRepository.php',
      ],
      11995: ['b4a8a219ff59', 'app/Http/Controllers/Auth/RegisterController.php'],
    },
  },
  {
    repository: 'syncthing/syncthing',
    language: 'go',
    issues: {
      6583: ['bd0c2bf237e9', 'lib/model/folder.go', 'lib/model/model.go'],
      6655: ['5c54d879a124', 'cmd/syncthing/main.go'],
      6943: ['44bf8cfd273e', 'script/translate.go'],
      7068: ['43f0e5c91d78', 'gui/default/syncthing/app.js'],
      7198: ['0d7a77ba85c6', 'lib/model/model.go'],
      7845: ['7ec76095e6ab', 'script/translate.go'],
      8130: ['7b0fbb6fef5b', 'cmd/syncthing/cli/pending.go'],
      8143: ['479712cdc53a', 'cmd/stdiscosrv/main.go'],
      8261: ['4031568cdf46', 'gui/default/syncthing/core/syncthingController.js'],
      8957: ['b99dee3ac319', 'cmd/syncthing/cmdutil/options_common.go', 'cmd/syncthing/main.go'],
      9189: ['854499382e20', 'cmd/stdiscosrv/apisrv.go'],
      9371: ['bbd2a7fbc502', 'lib/model/folder_sendrecv.go'],
      9386: ['a49e318d25cd', 'lib/model/folder_sendrecv.go'],
      9872: ['79ef57d0eacf', 'lib/scanner/walk.go'],
    },
  },
];
