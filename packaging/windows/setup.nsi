; Longread for one person: no administrator is asked. /S installs silently, /D=FOLDER (last, unquoted) elsewhere.
; Defined by the build: VERSION, TREE, OUT, and COMPRESSION (lzma, or zlib for trying things out).
Unicode true
Target amd64-unicode
SetCompressor /SOLID ${COMPRESSION}
!include "MUI2.nsh"
!include "FileFunc.nsh"

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Longread"
!define CLASS "Longread.Document"

Name "Longread"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Longread"
InstallDirRegKey HKCU "Software\Longread" "Folder"
RequestExecutionLevel user
ManifestLongPathAware true
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "Longread"
VIAddVersionKey "FileDescription" "Longread Setup"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "LegalCopyright" "Apache-2.0"

!define MUI_ICON "${TREE}\longread.ico"
!define MUI_UNICON "${TREE}\longread.ico"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\longread.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"

LangString ASK_DATA ${LANG_ENGLISH} "Delete what Longread keeps as well: documents' texts, conversations, models and runtimes? This cannot be undone."
LangString ASK_DATA ${LANG_SIMPCHINESE} "是否同时删除 Longread 保存的内容：文档文本、对话、模型和运行环境？此操作无法撤销。"
LangString IN_USE ${LANG_ENGLISH} "Longread is running. Close it and try again."
LangString IN_USE ${LANG_SIMPCHINESE} "Longread 正在运行。请关闭后重试。"

; What an older version installed goes first, so that no module of it is left to be imported. The data lie elsewhere.
!macro RemoveProgram
  Delete "$INSTDIR\longread.exe"
  IfErrors 0 +3
    MessageBox MB_OK|MB_ICONSTOP "$(IN_USE)" /SD IDOK
    Abort
  RMDir /r "$INSTDIR\Lib"
  RMDir /r "$INSTDIR\DLLs"
  RMDir /r "$INSTDIR\start"
  RMDir /r "$INSTDIR\runtime"
  RMDir /r "$INSTDIR\models"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\*.exe"
  Delete "$INSTDIR\*.com"
  Delete "$INSTDIR\*.dll"
  Delete "$INSTDIR\*._pth"
  Delete "$INSTDIR\longread.ico"
!macroend

!macro OpenWith ENDING
  WriteRegStr HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${CLASS}" ""
!macroend
!macro ForgetOpenWith ENDING
  DeleteRegValue HKCU "Software\Classes\${ENDING}\OpenWithProgids" "${CLASS}"
!macroend
!macro EachEnding DO
  !insertmacro ${DO} ".pdf"
  !insertmacro ${DO} ".docx"
  !insertmacro ${DO} ".pptx"
  !insertmacro ${DO} ".xlsx"
  !insertmacro ${DO} ".xls"
  !insertmacro ${DO} ".odt"
  !insertmacro ${DO} ".ods"
  !insertmacro ${DO} ".odp"
  !insertmacro ${DO} ".rtf"
  !insertmacro ${DO} ".epub"
  !insertmacro ${DO} ".html"
  !insertmacro ${DO} ".md"
  !insertmacro ${DO} ".txt"
  !insertmacro ${DO} ".eml"
  !insertmacro ${DO} ".msg"
  !insertmacro ${DO} ".ipynb"
!macroend

Section "Longread"
  ClearErrors
  IfFileExists "$INSTDIR\longread.exe" 0 fresh
    !insertmacro RemoveProgram
  fresh:
  SetOutPath "$INSTDIR"
  File /r "${TREE}\*.*"
  WriteUninstaller "$INSTDIR\Uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Longread.lnk" "$INSTDIR\longread.exe"
  WriteRegStr HKCU "Software\Longread" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "DisplayName" "Longread"
  WriteRegStr HKCU "${KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${KEY}" "DisplayIcon" "$INSTDIR\longread.ico"
  WriteRegStr HKCU "${KEY}" "Publisher" "The Longread authors"
  WriteRegStr HKCU "${KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${KEY}" "UninstallString" '"$INSTDIR\Uninstall.exe"'
  WriteRegStr HKCU "${KEY}" "QuietUninstallString" '"$INSTDIR\Uninstall.exe" /S'
  WriteRegDWORD HKCU "${KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${KEY}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${KEY}" "EstimatedSize" "$0"
  WriteRegStr HKCU "Software\Classes\${CLASS}\shell\open\command" "" '"$INSTDIR\longread.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\${CLASS}\DefaultIcon" "" "$INSTDIR\longread.ico"
  !insertmacro EachEnding OpenWith
SectionEnd

; Silently the data stay, unless /DATA is given as well.
Section "Uninstall"
  ClearErrors
  !insertmacro RemoveProgram
  Delete "$INSTDIR\Uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Longread.lnk"
  !insertmacro EachEnding ForgetOpenWith
  DeleteRegKey HKCU "Software\Classes\${CLASS}"
  DeleteRegKey HKCU "${KEY}"
  DeleteRegKey HKCU "Software\Longread"
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/DATA" $1
  IfErrors 0 data
  MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(ASK_DATA)" /SD IDNO IDYES data
  Goto done
  data:
  RMDir /r "$LOCALAPPDATA\longread"
  done:
SectionEnd
