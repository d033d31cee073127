# SPDX-License-Identifier: MIT
# What `cmake --install` copies. Data and scripts stand under PREFIX/share/palstudy in the folders that they have in the
# source tree, so that studies name each other and their traces alike from both. No file holds a path of this machine.
set(data ${CMAKE_INSTALL_DATADIR}/palstudy)
install(TARGETS palstudy RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY experiments jobs hdf5-schemas slurm-scripts LICENSES DESTINATION ${data} USE_SOURCE_PERMISSIONS
        PATTERN __pycache__ EXCLUDE)
install(DIRECTORY kernels/measurements DESTINATION ${data}/kernels)
install(FILES LICENSE LICENSES.md DESTINATION ${data})
install(FILES kernels/README.md DESTINATION ${data}/kernels)
install(FILES scripts/mpi-env.sh scripts/packages.txt DESTINATION ${data}/scripts)
if(EXISTS ${CMAKE_SOURCE_DIR}/python)
  install(DIRECTORY python DESTINATION ${data} PATTERN __pycache__ EXCLUDE)
endif()
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Not what the pages of results are made of.
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN templates EXCLUDE PATTERN values EXCLUDE)

# Pages name each other and data as in the source tree: where that lies in the other folder, a link leads there.
file(RELATIVE_PATH to_data ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/palstudy)
file(RELATIVE_PATH to_docs ${CMAKE_INSTALL_FULL_DATADIR}/palstudy ${CMAKE_INSTALL_FULL_DOCDIR})
function(install_links into way) # names...
  string(MAKE_C_IDENTIFIER ${way} folder)
  set(made ${CMAKE_BINARY_DIR}/install/links/${folder})
  file(MAKE_DIRECTORY ${made})
  foreach(name ${ARGN})
    file(CREATE_LINK ${way}/${name} ${made}/${name} SYMBOLIC)
    install(FILES ${made}/${name} DESTINATION ${into})
  endforeach()
endfunction()
install_links(${CMAKE_INSTALL_DOCDIR} ${to_data} experiments jobs kernels hdf5-schemas slurm-scripts python scripts LICENSE LICENSES LICENSES.md)
install_links(${data} ${to_docs} docs)

install(FILES packaging/completion/palstudy.bash RENAME palstudy DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES packaging/completion/_palstudy DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
# Found from where it lies: `module use PREFIX/share/modulefiles`.
install(FILES packaging/modulefiles/palstudy RENAME ${PROJECT_VERSION} DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/palstudy)

# Man pages are made of --help, where help2man is found, by a build of everything.
find_program(HELP2MAN help2man)
mark_as_advanced(HELP2MAN)
if(HELP2MAN)
  if(PALSTUDY_PYTHON) # palstudy-report has a --help only where it has its modules
    set(report ${CMAKE_BINARY_DIR}/palstudy-report)
  endif()
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/man/made
                     COMMAND ${CMAKE_SOURCE_DIR}/scripts/man-pages.sh $<TARGET_FILE:palstudy> ${CMAKE_BINARY_DIR}/man ${report}
                     COMMAND ${CMAKE_COMMAND} -E touch ${CMAKE_BINARY_DIR}/man/made
                     DEPENDS palstudy ${CMAKE_SOURCE_DIR}/scripts/man-pages.sh VERBATIM COMMENT "Making the man pages")
  add_custom_target(manuals ALL DEPENDS ${CMAKE_BINARY_DIR}/man/made)
  install(DIRECTORY ${CMAKE_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.[15]")
endif()

# palstudy-report finds its modules from where it lies itself.
file(RELATIVE_PATH from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/palstudy)
palstudy_report_launcher(${CMAKE_BINARY_DIR}/install/palstudy-report "$here/${from_program}/experiments/report")
install(PROGRAMS ${CMAKE_BINARY_DIR}/install/palstudy-report DESTINATION ${CMAKE_INSTALL_BINDIR})
